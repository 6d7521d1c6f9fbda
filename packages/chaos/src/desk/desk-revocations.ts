import { bearer, bearerJson, FORM, formOf } from '../traffic/traffic.js';
import type { Desk, HeldToken } from './desk.js';

/** A way in which a service revokes a token. */
export interface DeskRevocation {
  readonly name: string;
  /** Whether the client, the end-user and the session may get another token afterwards. */
  readonly sparesHolder: boolean;
  revoke(desk: Desk, token: HeldToken): Promise<unknown>;
}

const DONE = { status: 204 };

/** Every way that the services have, but for using the token up. */
export const DESK_REVOCATIONS: readonly DeskRevocation[] = [
  byMaster('the token', ({ token }) => ({ token })),
  byMaster('its client', ({ holder }) => ({ client_id: holder.clientId })),
  byMaster('its end-user', ({ holder }) => ({ sub: holder.subject })),
  byMaster('its session', ({ holder }) => ({ sid: holder.sid })),
  {
    name: 'the token, by its client (RFC 7009)',
    sparesHolder: true,
    revoke: (desk, { token, holder }) => {
      const headers = { authorization: holder.authorization, ...FORM };
      const exchange = { method: 'POST', path: '/token/revoke', headers, body: formOf({ token }) } as const;
      return desk.ask('authorization', exchange, { status: 200 });
    },
  },
  {
    name: 'the end of its session',
    sparesHolder: false,
    revoke: (desk, { holder }) => {
      const path = `/direct-authz/sessions/${encodeURIComponent(holder.sid)}`;
      const exchange = { method: 'DELETE', path, headers: bearer(desk.masterToken) } as const;
      return desk.ask('authorization', exchange, DONE);
    },
  },
  deletion('deletion of its client', ({ holder }) => holder.registrationToken),
  deletion('deletion of its client by the master token', (_token, { masterToken }) => masterToken),
];

/** At the direct authorisation endpoint, by a member of the request. */
function byMaster(name: string, member: (token: HeldToken) => object): DeskRevocation {
  return {
    name,
    sparesHolder: true,
    revoke: (desk, token) => {
      const headers = bearerJson(desk.masterToken);
      const body = JSON.stringify(member(token));
      const exchange = { method: 'POST', path: '/direct-authz/revoke', headers, body } as const;
      return desk.ask('authorization', exchange, DONE);
    },
  };
}

/** At the client configuration endpoint (RFC 7592 section 2.3). */
function deletion(name: string, authority: (token: HeldToken, desk: Desk) => string): DeskRevocation {
  return {
    name,
    sparesHolder: false,
    revoke: (desk, token) => {
      const path = `/clients/${token.holder.clientId}`;
      const exchange = { method: 'DELETE', path, headers: bearer(authority(token, desk)) } as const;
      return desk.ask('registration', exchange, DONE);
    },
  };
}

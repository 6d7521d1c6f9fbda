import { bearer, bearerJson, FORM, formOf } from '../traffic/traffic.js';
import type { Client, HeldToken } from './client.js';

/** A way in which a service revokes a token. */
export interface ClientRevocation {
  readonly name: string;
  /** Whether the client, the end-user and the session may get another token afterwards. */
  readonly sparesHolder: boolean;
  revoke(client: Client, token: HeldToken): Promise<unknown>;
}

const DONE = { status: 204 };

/** Every kind of revocation that the services offer, except use of a single-use token. */
export const CLIENT_REVOCATIONS: readonly ClientRevocation[] = [
  byMaster('the token', true, ({ token }) => ({ token })),
  byMaster('its client', true, ({ holder }) => ({ client_id: holder.clientId })),
  byMaster('its end-user', false, ({ holder }) => ({ sub: holder.subject })),
  byMaster('its session', true, ({ holder }) => ({ sid: holder.sid })),
  {
    name: 'the token, by its client (RFC 7009)',
    sparesHolder: true,
    revoke: (client, { token, holder }) => {
      const headers = { authorization: holder.authorization, ...FORM };
      const exchange = { method: 'POST', path: '/token/revoke', headers, body: formOf({ token }) } as const;
      return client.send('authorization', exchange, { status: 200 });
    },
  },
  {
    name: 'the end of its session',
    sparesHolder: false,
    revoke: (client, { holder }) => {
      const path = `/direct-authz/sessions/${encodeURIComponent(holder.sid)}`;
      const exchange = { method: 'DELETE', path, headers: bearer(client.masterToken) } as const;
      return client.send('authorization', exchange, DONE);
    },
  },
  deletion('deletion of its client', ({ holder }) => holder.registrationToken),
  deletion('deletion of its client by the master token', (_token, { masterToken }) => masterToken),
];

/** Through the direct authorization endpoint, by a request member. */
function byMaster(
  name: string,
  sparesHolder: boolean,
  member: (token: HeldToken) => object,
): ClientRevocation {
  return {
    name,
    sparesHolder,
    revoke: (client, token) => {
      const headers = bearerJson(client.masterToken);
      const body = JSON.stringify(member(token));
      const exchange = { method: 'POST', path: '/direct-authz/revoke', headers, body } as const;
      return client.send('authorization', exchange, DONE);
    },
  };
}

/** Through the client configuration endpoint (RFC 7592 section 2.3). */
function deletion(name: string, authority: (token: HeldToken, client: Client) => string): ClientRevocation {
  return {
    name,
    sparesHolder: false,
    revoke: (client, token) => {
      const path = `/clients/${token.holder.clientId}`;
      const exchange = { method: 'DELETE', path, headers: bearer(authority(token, client)) } as const;
      return client.send('registration', exchange, DONE);
    },
  };
}

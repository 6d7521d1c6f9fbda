import { isClientExpired } from '@vestibule/clients';
import { DomainError, nowSeconds, parseClientId } from '@vestibule/protocol';
import type { Provider } from 'oidc-provider';
import { Type } from 'typebox';
import { MAX_NAME_LENGTH } from './direct-authorization-request.js';
import type { ProviderDeps } from './provider/provider-deps.js';
import type { ProviderHost } from './provider/provider-host.js';
import { permittedScope } from './provider/resource-servers.js';

/** The JSON body of POST /direct-authz/sessions: who is logged in, and where. */
export const DirectSessionRequest = Type.Object(
  {
    sub: Type.String({
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
      pattern: '^[^\\u0000]*$',
      description: 'The end-user.',
    }),
    client_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
        maxItems: 100,
        description: 'The clients that the end-user is logged in to, and has allowed their registered scope.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Who is logged in. */
export type DirectSessionRequest = Type.Static<typeof DirectSessionRequest>;

/** A session that was opened: its identifiers, and the cookie by which a browser has it. */
export interface DirectSession {
  readonly sid: string;
  readonly clients: Readonly<Record<string, { readonly sid: string }>>;
  readonly cookie: { readonly name: string; readonly value: string };
}

/**
 * Opens a session as the login page does. The clients are logged in to, and allowed what they may ask for.
 * @throws DomainError `invalid_request` when a client is not registered
 */
export async function openDirectSession(
  deps: ProviderDeps,
  host: ProviderHost,
  { sub, client_ids: clientIds = [] }: DirectSessionRequest,
): Promise<DirectSession> {
  for (const id of clientIds) await requireClient(deps, id);
  const provider = await host.current();
  const session = new provider.Session();
  session.loginAccount({ accountId: sub });
  const clients: [string, { readonly sid: string }][] = [];
  for (const clientId of new Set(clientIds)) {
    session.ensureClientContainer(clientId);
    session.grantIdFor(clientId, await allow(provider, { accountId: sub, clientId }));
    clients.push([clientId, { sid: session.sidFor(clientId) ?? '' }]);
  }
  const value = session.id;
  await session.save(deps.provider.sessionLifetimeSeconds);
  return {
    sid: session.uid,
    clients: Object.fromEntries(clients),
    cookie: { name: provider.cookieName('session'), value },
  };
}

/**
 * Ends a session, named by its own identifier or by a client's, with the tokens that end with it; its clients are told.
 * @throws DomainError `not_found` when there is none
 */
export async function endDirectSession({ records, clock }: ProviderDeps, sid: string): Promise<void> {
  const isNameable = sid !== '' && sid.length <= MAX_NAME_LENGTH && !sid.includes('\0');
  const hasEnded = isNameable && (await records.sessions.end(sid, nowSeconds(clock)));
  if (!hasEnded) throw new DomainError('not_found', 'There is no such session');
}

async function requireClient({ clients, clock }: ProviderDeps, id: string): Promise<void> {
  const clientId = parseClientId(id);
  const client = clientId && (await clients.find(clientId));
  if (client === undefined || client.status !== 'active' || isClientExpired(client, nowSeconds(clock)))
    throw new DomainError('invalid_request', 'client_ids names a client that is not registered');
}

async function allow(
  provider: Provider,
  owner: { readonly accountId: string; readonly clientId: string },
): Promise<string> {
  const client = await provider.Client.find(owner.clientId);
  const scope = [...new Set(['openid', ...(client ? permittedScope(client) : [])])].join(' ');
  const grant = new provider.Grant(owner);
  grant.addOIDCScope(scope);
  grant.addResourceScope(provider.issuer, scope);
  return grant.save();
}

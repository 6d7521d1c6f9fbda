import { findActiveClient } from '@vestibule/clients';
import { objectOf } from '@vestibule/http/openapi';
import { createAdapterFactory } from '@vestibule/oidc-provider-adapter';
import { DomainError, nowSeconds } from '@vestibule/protocol';
import type { ProviderRecords } from '@vestibule/tokens/provider';
import type { Provider, ProviderSession } from 'oidc-provider';
import { Type } from 'typebox';
import { MAX_NAME_LENGTH, SAFE_TEXT } from './direct-authorization-request.js';
import { isNameable } from './enter-session.js';
import { permittedScope } from './provider/default-scope.js';
import { performedMetadata } from './provider/performed-metadata.js';
import type { ProviderDeps } from './provider/provider-deps.js';
import type { ProviderHost } from './provider/provider-host.js';
import { consentDetails, newGrant } from './provider/remembered-consent.js';

/** The JSON body of POST /direct-authz/sessions: the end-user and the clients. */
export const DirectSessionRequest = Type.Object(
  {
    sub: Type.String({
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
      pattern: SAFE_TEXT,
      description: 'The end-user.',
    }),
    client_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 2048, pattern: SAFE_TEXT }), {
        maxItems: 100,
        description: 'The clients that the end-user is logged in to, and has granted their registered scope.',
      }),
    ),
    sid: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_NAME_LENGTH,
        pattern: SAFE_TEXT,
        description:
          'The identifier of the session at your server, as in the tokens that it signs. Default: a new one.',
      }),
    ),
  },
  { $id: 'SessionRequest', additionalProperties: false },
);

/** A request to open a session. */
export type DirectSessionRequest = Type.Static<typeof DirectSessionRequest>;

/** The schema of an opened session, for the API document. */
export const DirectSessionSchema = Type.Object(
  {
    sid: Type.String({ description: 'The identifier of the session.' }),
    clients: objectOf(
      Type.Object({
        sid: Type.String({ description: 'The `sid` by which this client knows the session.' }),
      }),
      'By client identifier.',
    ),
    cookie: Type.Optional(
      Type.Object(
        { name: Type.String(), value: Type.String() },
        {
          description:
            'The session cookie for a browser. Absent if another server is the OpenID provider, while neither it nor the logout page runs on this database.',
        },
      ),
    ),
  },
  { $id: 'Session', description: 'A session that was opened.' },
);

/** Dependencies of opening and ending sessions. */
export interface DirectSessionDeps extends ProviderDeps {
  /** The store of sessions, which records the caller as the actor. */
  readonly sessions: ProviderRecords['sessions'];
  /** The name of the session cookie if another server is the OpenID provider; `undefined` if none is known. */
  readonly otherSessionCookie?: () => Promise<string | undefined>;
}

/** An opened session: its identifiers, and its cookie for a browser. */
export interface DirectSession {
  readonly sid: string;
  readonly clients: Readonly<Record<string, { readonly sid: string }>>;
  readonly cookie?: { readonly name: string; readonly value: string };
}

/**
 * Opens a session as the login page does, and grants the clients their registered scope.
 * @throws DomainError `invalid_request` if a client is not registered, or if `sid` is taken
 */
export async function openDirectSession(
  deps: DirectSessionDeps,
  host: ProviderHost,
  { sub, sid, client_ids: clientIds = [] }: DirectSessionRequest,
): Promise<DirectSession> {
  for (const id of clientIds) await requireClient(deps, id);
  const { sessions, clock } = deps;
  // So that a repeated request leaves no grants; `open` decides.
  if (sid !== undefined && (await sessions.identify(sid, '', nowSeconds(clock)))) throw takenSid();
  const provider = await host.current();
  const session = new provider.Session();
  if (sid !== undefined) session.uid = sid;
  session.loginAccount({ accountId: sub });
  const clients: [string, { readonly sid: string }][] = [];
  for (const clientId of new Set(clientIds)) {
    session.ensureClientContainer(clientId);
    session.grantIdFor(clientId, await allow(provider, deps.clients, { accountId: sub, clientId }));
    clients.push([clientId, { sid: session.sidFor(clientId) ?? '' }]);
  }
  await keep(deps, session, sid === undefined ? sessions : { ...sessions, save: openedOnce(sessions) });
  const { otherSessionCookie } = deps;
  const name = otherSessionCookie ? await otherSessionCookie() : provider.cookieName('session');
  return {
    sid: session.uid,
    clients: Object.fromEntries(clients),
    ...(name !== undefined && { cookie: { name, value: session.id } }),
  };
}

/** Saves a session that must be new. */
function openedOnce(sessions: DirectSessionDeps['sessions']): DirectSessionDeps['sessions']['save'] {
  return async (session, now) => {
    if (!(await sessions.open(session, now))) throw takenSid();
  };
}

function takenSid(): DomainError {
  return new DomainError('invalid_request', 'sid: is the identifier of a session that exists or has ended');
}

/** Saves a session as the library does, and records it. */
async function keep(
  deps: DirectSessionDeps,
  session: ProviderSession,
  sessions: DirectSessionDeps['sessions'],
): Promise<void> {
  const { records, supported, clock, provider } = deps;
  const performed = performedMetadata(supported);
  const adapterOf = createAdapterFactory({ ...deps, records: { ...records, sessions }, performed });
  session.exp = nowSeconds(clock) + provider.sessionLifetimeSeconds;
  const { payload } = await session.getValueAndPayload();
  await adapterOf('Session').upsert(session.id, payload, provider.sessionLifetimeSeconds);
}

/**
 * Ends a session, by its own identifier or the `sid` of a client, with the tokens that end with it, and notifies its
 * clients.
 * @throws DomainError `not_found` if there is none
 */
export async function endDirectSession(
  { sessions, clock }: Pick<DirectSessionDeps, 'sessions' | 'clock'>,
  sid: string,
): Promise<void> {
  const hasEnded = isNameable(sid) && (await sessions.end(sid, nowSeconds(clock)));
  if (!hasEnded) throw new DomainError('not_found', 'there is no such session');
}

async function requireClient(deps: ProviderDeps, id: string): Promise<void> {
  const client = await findActiveClient(deps, id);
  if (client === undefined)
    throw new DomainError('invalid_request', 'client_ids: contains a client that is not registered');
}

async function allow(
  provider: Provider,
  clients: ProviderDeps['clients'],
  owner: { readonly accountId: string; readonly clientId: string },
): Promise<string> {
  const client = await provider.Client.find(owner.clientId);
  const scope = [...new Set(['openid', ...(client ? permittedScope(client) : [])])].join(' ');
  const grant = newGrant(provider, owner, await consentDetails(clients, owner.clientId));
  grant.addOIDCScope(scope);
  grant.addResourceScope(provider.issuer, scope);
  return grant.save();
}

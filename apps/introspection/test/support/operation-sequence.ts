import type { Client } from '@vestibule/clients';
import type { Server } from '@vestibule/http';
import { type ClientId, type EpochSeconds, epochSeconds, nowSeconds } from '@vestibule/protocol';
import { revokeToken } from '@vestibule/tokens/revocation';
import { call } from './introspection-call.js';
import { type RandomChoice, randomChoice } from './random-choice.js';
import type { RevocationDeps } from './revocation-paths.js';

/** What operations act on. */
export interface OperationFixture extends RevocationDeps {
  /** The instance at which tokens are used up. */
  readonly app: Server;
}

/** Random operations on a client, its end-user and their tokens, which affect nothing else. */
export interface OperationSequence {
  readonly name: string;
  /** Every issued token. */
  readonly tokens: readonly string[];
  /** The operations so far. */
  readonly history: readonly string[];
  /** Does one operation. */
  next(): Promise<void>;
}

/** What the operations of one sequence share. */
interface Own extends OperationFixture, RandomChoice {
  readonly name: string;
  readonly clientId: ClientId;
  readonly subject: string;
  readonly tokens: string[];
  /** Sessions and authorizations that have ended; the next ones have other identifiers. */
  ended: number;
}

/** Creates a sequence. Equal seeds give equal operations. */
export function operationSequence(
  fixture: OperationFixture,
  { name, seed }: { readonly name: string; readonly seed: number },
): OperationSequence {
  const own: Own = {
    ...fixture,
    ...randomChoice(spread(seed)),
    name,
    clientId: name as ClientId,
    subject: `subject-${name}`,
    tokens: [],
    ended: 0,
  };
  const history: string[] = [];
  return {
    name,
    tokens: own.tokens,
    history,
    next: async () => {
      const [operation, run] = own.oneOf(history.length === 0 ? FIRST : WEIGHTED);
      history.push(operation);
      await run(own);
    },
  };
}

/** Sequences of neighboring seeds would begin alike. */
function spread(seed: number): number {
  return Math.imul(seed + 1, 0x9e3779b1);
}

type Operation = readonly [name: string, run: (own: Own) => Promise<unknown>];

const ISSUE: Operation = ['issue', issue];

const OPERATIONS: readonly (readonly [weight: number, ...Operation])[] = [
  [14, ...ISSUE],
  [8, 'do nothing', async () => undefined],
  [4, 'revoke', onToken(({ service }, token) => revokeToken(service.revocationDeps, token))],
  [1, 'use up', onToken(({ app }, token) => call(app, { token, revoke: 'true' }))],
  [2, 'suspend the client', (own) => changeClient(own, (client) => ({ ...client, status: 'suspended' }))],
  [6, 'resume the client', (own) => changeClient(own, (client) => ({ ...client, status: 'active' }))],
  [2, 'change the client', (own) => changeClient(own, renamed)],
  [6, 'let the client expire', (own) => changeClient(own, (client) => expiring(client, own))],
  [4, 'end the expiry of the client', (own) => changeClient(own, lasting)],
  [
    1,
    'delete the client',
    ({ service, clientId }) => service.database.clients.delete(clientId, now(service)),
  ],
  [
    1,
    'revoke the tokens of the client',
    ({ service, clientId }) => service.database.revocations.revokeClient(clientId, now(service)),
  ],
  [
    1,
    'delete the grants of the end-user',
    ({ service, subject }) => service.database.revocations.revokeSubject(subject, now(service)),
  ],
  [
    2,
    'log out',
    (own) => {
      const session = sessionOf(own);
      own.ended += 1;
      return own.service.database.logoutSessions.end(session, now(own.service));
    },
  ],
  [
    1,
    'log out of the client alone',
    (own) => {
      const session = sessionOf(own);
      own.ended += 1;
      return own.service.database.logoutSessions.leave(session, own.clientId, now(own.service));
    },
  ],
  [
    1,
    'revoke the authorization',
    (own) => {
      const id = authorizationOf(own);
      own.ended += 1;
      return own.service.database.providerRecords.authorizations.destroy(id, now(own.service));
    },
  ],
  [
    1,
    'delete tokens by SQL',
    ({ sql, clientId }) => sql('DELETE FROM access_token WHERE client_id = $1', [clientId]),
  ],
  [
    1,
    'delete the authorization by SQL',
    (own) => own.sql('DELETE FROM "authorization" WHERE id = $1', [authorizationOf(own)]),
  ],
];

const FIRST: readonly Operation[] = [ISSUE];
const WEIGHTED: readonly Operation[] = OPERATIONS.flatMap(([weight, ...operation]) =>
  Array.from({ length: weight }, () => operation),
);

function onToken(run: (own: Own, token: string) => Promise<unknown>): Operation[1] {
  return async (own) => (own.tokens.length === 0 ? undefined : run(own, own.oneOf(own.tokens)));
}

/** Registers the client if there is none, and issues a token. */
async function issue(own: Own): Promise<void> {
  const { service, clientId, subject, oneOf, chance } = own;
  const { database } = service;
  if ((await database.clients.find(clientId)) === undefined)
    await service.register(clientId, { scope: 'read' });
  const format = oneOf(['identifier', 'jwt'] as const);
  const token = await service[format]({
    clientId,
    subject,
    lifetimeSeconds: oneOf([5, 60, 3_600, 3_600]),
    audience: oneOf([[], [], [], ['rs1'], ['rs1'], ['other']]),
    ...(chance(15) && { notBefore: epochSeconds(now(service) + 2) }),
    ...(chance(50) && { sessionId: await openSession(own) }),
    ...(format === 'identifier' && chance(50) && { authorizationId: await openAuthorization(own) }),
  });
  own.tokens.push(token);
}

/** Opens the session unless it is open. @returns its identifier, or the one by which the client knows it */
async function openSession(own: Own): Promise<string> {
  const { service, clientId, oneOf } = own;
  const { id, subject } = sessionOf(own);
  const sid = `sid-${id}`;
  const cookieDigest = service.deps.digester.digest('session-cookie', id);
  const expiresAt = epochSeconds(now(service) + 86_400);
  const session = { id, subject, cookieDigest, payload: {}, expiresAt, clients: [{ clientId, sid }] };
  await service.database.providerRecords.sessions.save(session, now(service));
  return oneOf([id, sid]);
}

async function openAuthorization(own: Own): Promise<string> {
  const { service, clientId, subject } = own;
  const id = authorizationOf(own);
  await service.database.providerRecords.authorizations.save(
    { id, clientId, subject, payload: {} },
    now(service),
  );
  return id;
}

function sessionOf({ name, subject, ended }: Own) {
  return { id: `session-${name}-${ended}`, subject };
}

function authorizationOf({ name, ended }: Own): string {
  return `authorization-${name}-${ended}`;
}

async function changeClient({ service, clientId }: Own, change: (client: Client) => Client): Promise<void> {
  const { clients } = service.database;
  const client = await clients.find(clientId);
  if (client !== undefined)
    await clients.replace({ client: { ...change(client), version: client.version + 1 } });
}

function renamed(client: Client): Client {
  return { ...client, metadata: { ...client.metadata, client_name: `version ${client.version}` } };
}

function expiring(client: Client, { service, oneOf }: Own): Client {
  return { ...client, expiresAt: epochSeconds(now(service) + oneOf([1, 2, 5, 20])) };
}

function lasting({ expiresAt: _, ...client }: Client): Client {
  return client;
}

function now({ deps }: OperationFixture['service']): EpochSeconds {
  return nowSeconds(deps.clock);
}

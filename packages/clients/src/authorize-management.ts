import { constantTimeEquals, type Digest, findByDigest } from '@vestibule/crypto';
import { DomainError, type EpochSeconds, nowSeconds, parseClientId } from '@vestibule/protocol';
import type { AuditActor, OperatorActor } from './audit-actor.js';
import type { Client } from './client.js';
import { invalidToken } from './invalid-token.js';
import type { RegistrationDeps } from './registration-deps.js';

/** A request about one registered client. */
export interface ManagementRequest {
  /** The identifier from the path, decoded; whatever no client can have is an unknown client. */
  readonly id: string;
  /** The bearer token; absent when the request carries none. */
  readonly token?: string | undefined;
  /**
   * Who manages the client by working on the store itself, with the rights of the master token and without any token.
   */
  readonly operator?: OperatorActor | undefined;
  /** The client is to be judged by, and left as it is. */
  readonly isDryRun?: boolean | undefined;
  /**
   * What the request does. The previous registration access token may only read, and update where that repeats the
   * update that replaced it; whoever passes `update` checks that. Anything else by default.
   */
  readonly purpose?: 'read' | 'update' | undefined;
}

/** A client, and by what right it is managed. */
export interface ManagedClient {
  readonly client: Client;
  /** The registration access token that was presented; absent for the master token. */
  readonly registrationToken?: string | undefined;
  /** The operator whose right it is, where no token was presented. */
  readonly operator?: OperatorActor | undefined;
  /**
   * Whether it is the previous token, whose successor was never used: the response to its last update may be lost. A
   * read with it shows the successor.
   */
  readonly isOutdated?: boolean;
}

/**
 * Finds the client that a request is about and checks that its bearer token may manage it: the master token, the
 * client's registration access token, or, to read and to repeat an update, the one before that while the newer one was
 * never used. The first use of the newer one, in anything but a rehearsal and an update that is refused, ends the older.
 *
 * Unknown, expired and foreign clients, and wrong tokens, are refused alike and by the same steps (RFC 7592
 * section 2.1).
 *
 * @throws DomainError `missing_token` without a token or operator; `not_found` with the master token and for operators,
 *   `invalid_token` with any other token, when there is no such client that it may manage; `insufficient_scope` with
 *   the previous token for anything but reading and updating; KeyEncryptionError instead while a key that the token may be under cannot be opened.
 */
export async function authorizeManagement(
  deps: RegistrationDeps,
  request: ManagementRequest,
): Promise<ManagedClient> {
  const { id, token, operator, isDryRun = false, purpose } = request;
  if (operator !== undefined) return { client: await requireLiveClient(deps, id), operator };
  if (token === undefined) throw new DomainError('missing_token', 'An access token is needed.');
  if (deps.masterToken.matches(token)) return { client: await requireLiveClient(deps, id) };
  const presented = deps.digester.candidates('registration-access-token', token);
  const client = await findByDigest(deps.digester, () => findManagedClient(deps, id, presented));
  if (client === undefined) throw invalidToken('no client with this registration token');
  if (!isCurrent(client, presented)) {
    if (purpose === undefined) throw refusalOfPreviousToken();
    return { client, registrationToken: token, isOutdated: true };
  }
  if (isDryRun) return { client, registrationToken: token };
  // Where nothing was forgotten, the client has changed, and this may not be its token any more.
  // An update ends the previous token itself.
  if (purpose !== 'update' && !(await endPreviousToken(deps, client)))
    return authorizeManagement(deps, request);
  return { client: withoutPreviousToken(client), registrationToken: token };
}

/** The refusal of the previous registration access token for a request that neither reads nor repeats an update. */
export function refusalOfPreviousToken(): DomainError {
  return new DomainError(
    'insufficient_scope',
    'The previous registration access token may only read the client and repeat the update that replaced it.',
  );
}

/** The registration access token that counts, where it is the one that was presented: answers show no other. */
export function knownRegistrationToken({ registrationToken, isOutdated }: ManagedClient): string | undefined {
  return isOutdated === true ? undefined : registrationToken;
}

/** The refusal when a client that was there a moment ago is gone: the same as if it had never been. */
export function noSuchClient({ registrationToken }: ManagedClient): DomainError {
  if (registrationToken === undefined) return new DomainError('not_found', 'There is no such client.');
  return invalidToken('the client is gone');
}

/**
 * Refuses a change that a suspended client makes to itself: only the operator may change or delete it.
 * @throws DomainError `insufficient_scope`
 */
export function requireChangeable({ client, registrationToken }: ManagedClient): void {
  if (registrationToken === undefined || client.status !== 'suspended') return;
  throw new DomainError(
    'insufficient_scope',
    'The access token does not permit changing the client while it is suspended.',
  );
}

/** Whose change of a client it is. */
export function managementActor({
  operator,
  registrationToken,
}: Pick<ManagedClient, 'operator' | 'registrationToken'>): AuditActor {
  if (operator !== undefined) return operator;
  return registrationToken === undefined ? 'master' : 'registration_access_token';
}

/** Whether a registration has ended by itself at `now`; an ended client is unknown. */
export function isClientExpired(client: Client, now: EpochSeconds): boolean {
  return client.expiresAt !== undefined && client.expiresAt <= now;
}

async function requireLiveClient(deps: RegistrationDeps, id: string): Promise<Client> {
  const client = await findLiveClient(deps, id);
  if (client === undefined) throw new DomainError('not_found', 'There is no such client.');
  return client;
}

async function findLiveClient({ clients, clock }: RegistrationDeps, id: string): Promise<Client | undefined> {
  const clientId = parseClientId(id);
  const client = clientId && (await clients.find(clientId));
  return client === undefined || isClientExpired(client, nowSeconds(clock)) ? undefined : client;
}

/** The live client that a live registration access token with one of the digests belongs to. */
async function findManagedClient(
  { clients, clock }: RegistrationDeps,
  id: string,
  presented: readonly Digest[],
): Promise<Client | undefined> {
  const clientId = parseClientId(id);
  // The store compares, so that it reads the same of an unknown client as of one with other tokens: nothing.
  const client = clientId && (await clients.findByRegistrationToken(clientId, presented));
  const now = nowSeconds(clock);
  if (client === undefined || isClientExpired(client, now)) return undefined;
  const { previous } = client.registrationToken ?? {};
  return isCurrent(client, presented) || (previous !== undefined && previous.expiresAt > now)
    ? client
    : undefined;
}

/** Whether a client is found by its present registration access token, rather than by the one before. */
function isCurrent({ registrationToken }: Client, presented: readonly Digest[]): boolean {
  return (
    registrationToken !== undefined &&
    presented.some((digest) => constantTimeEquals(digest, registrationToken.digest))
  );
}

/** Whether there is no previous token any more; unknown, and so false, where the client has changed in between. */
async function endPreviousToken({ clients }: RegistrationDeps, client: Client): Promise<boolean> {
  const { id, registrationToken } = client;
  if (registrationToken?.previous === undefined) return true;
  return clients.forgetPreviousRegistrationToken(id, registrationToken.digest);
}

function withoutPreviousToken(client: Client): Client {
  if (client.registrationToken?.previous === undefined) return client;
  const { digest, encrypted } = client.registrationToken;
  return { ...client, registrationToken: { digest, encrypted } };
}

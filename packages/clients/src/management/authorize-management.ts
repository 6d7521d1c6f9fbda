import { constantTimeEquals } from '@vestibule/crypto';
import type { Digest } from '@vestibule/crypto/data-keys';
import { DomainError, nowSeconds, parseClientId } from '@vestibule/protocol';
import type { AuditActor, OperatorActor } from '../audit-actor.js';
import type { Client } from '../client.js';
import { isClientExpired } from '../client-expiry.js';
import { revealCredentials } from '../client-information.js';
import { type ClientResponse, clientResponse } from '../client-response.js';
import { invalidToken } from '../invalid-token.js';
import type { ManagedClient } from '../managed-client.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';

/** A request about one registered client. */
export interface ManagementRequest {
  /** The decoded identifier from the path. A text that cannot be an identifier is an unknown client. */
  readonly id: string;
  /** The bearer token; absent if the request has none. */
  readonly token?: string | undefined;
  /** An operator who works directly on the store, with the granted scopes of the master token but without a token. */
  readonly operator?: OperatorActor | undefined;
  /** Whether to check the request without changing the client. */
  readonly isDryRun?: boolean | undefined;
  /**
   * The purpose of the request. The previous registration access token may only read the client, or repeat the update
   * that replaced it; with `update`, the caller checks the latter. Default: any other purpose.
   */
  readonly purpose?: 'read' | 'update' | undefined;
}

/**
 * Finds the client of a request and checks that the bearer token may manage it: the master token, the client's
 * registration access token, or, for reading and repeating an update, the previous one while the current one was never
 * used. The first use of the current token invalidates the previous one, except in a dry run or a refused update.
 *
 * Unknown, expired and foreign clients and wrong tokens get the same refusal by the same steps (RFC 7592 section 2.1).
 *
 * @throws DomainError `missing_token` without a token or operator; `not_found` with the master token and for operators,
 *   `invalid_token` with any other token, when there is no such client that it may manage; `insufficient_scope` with
 *   the previous token for anything but reading and updating
 * @throws KeyEncryptionError instead, while a key that the token's digest may be under cannot be opened
 */
export async function authorizeManagement(
  deps: RegistrationDeps,
  request: ManagementRequest,
): Promise<ManagedClient> {
  const { id, token, operator, isDryRun = false, purpose } = request;
  if (operator !== undefined) return { client: await requireLiveClient(deps, id), operator };
  if (token === undefined) throw new DomainError('missing_token', 'An access token is required.');
  if (deps.masterToken.matches(token)) return { client: await requireLiveClient(deps, id) };
  const found = await deps.digester.find((digests) =>
    findManagedClient(deps, id, digests('registration-access-token', token)),
  );
  if (found === undefined) throw invalidToken('no client with this registration token');
  const { client } = found;
  if (!found.isCurrent) {
    if (purpose === undefined) throw refusalOfPreviousToken();
    return { client, registrationToken: token, isOutdated: true };
  }
  if (isDryRun) return { client, registrationToken: token };
  // If no token was removed, the client has changed, and this may no longer be its token. An update removes the
  // previous token itself.
  if (purpose !== 'update' && !(await endPreviousToken(deps, client)))
    return authorizeManagement(deps, request);
  return { client: withoutPreviousToken(client), registrationToken: token };
}

/** The error for the previous registration access token when the request neither reads nor repeats an update. */
export function refusalOfPreviousToken(): DomainError {
  return new DomainError(
    'insufficient_scope',
    'The previous registration access token may only read the client and repeat the update that replaced it.',
  );
}

/** Returns the registration access token if it is the current one: responses show no other. */
export function knownRegistrationToken({ registrationToken, isOutdated }: ManagedClient): string | undefined {
  return isOutdated === true ? undefined : registrationToken;
}

/** The error for a client that was deleted during the request: the same as for an unknown client. */
export function noSuchClient({ registrationToken }: ManagedClient): DomainError {
  if (registrationToken === undefined) return new DomainError('not_found', 'There is no such client.');
  return invalidToken('the client is gone');
}

/**
 * Refuses a change by a suspended client: only the operator may change or delete it.
 * @throws DomainError `insufficient_scope`
 */
export function requireChangeable({ client, registrationToken }: ManagedClient): void {
  if (registrationToken === undefined || client.status !== 'suspended') return;
  throw new DomainError(
    'insufficient_scope',
    'The access token does not permit changing the client while it is suspended.',
  );
}

/** The audit actor of a change to a client. */
export function managementActor({
  operator,
  registrationToken,
}: Pick<ManagedClient, 'operator' | 'registrationToken'>): AuditActor {
  if (operator !== undefined) return operator;
  return registrationToken === undefined ? 'master' : 'registration_access_token';
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

/**
 * Finds the live client that has a valid registration access token with one of the digests, and whether that is the
 * current token, not the previous one.
 */
async function findManagedClient(
  { clients, clock }: RegistrationDeps,
  id: string,
  presented: readonly Digest[],
): Promise<{ readonly client: Client; readonly isCurrent: boolean } | undefined> {
  const clientId = parseClientId(id);
  // The store compares the digests, so an unknown client and a client with other tokens read the same: nothing.
  const client = clientId && (await clients.findByRegistrationToken(clientId, presented));
  const now = nowSeconds(clock);
  if (client === undefined || isClientExpired(client, now)) return undefined;
  const { digest: current, previous } = client.registrationToken ?? {};
  const isCurrent = current !== undefined && presented.some((digest) => constantTimeEquals(digest, current));
  return isCurrent || (previous !== undefined && previous.expiresAt > now)
    ? { client, isCurrent }
    : undefined;
}

/** Ends the previous token. Returns false if the client has changed in between, so that its state is unknown. */
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

/**
 * Builds the response that a read of the client would show to the same caller.
 * @param secret the plain-text secret, if it is known already
 */
export async function managedResponse(
  deps: Pick<RegistrationDeps, 'encryptor' | 'digester' | 'settings'>,
  managed: ManagedClient,
  secret?: string,
): Promise<ClientResponse> {
  const { client } = managed;
  const known = { registrationToken: knownRegistrationToken(managed), secret };
  return clientResponse(deps, client, await revealCredentials(deps.encryptor, client, known));
}

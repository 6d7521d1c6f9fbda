import { randomAlphanumeric } from '@vestibule/crypto';
import { needsClientSecret } from '@vestibule/metadata/client-secret-need';
import {
  type ClientId,
  DomainError,
  type EpochSeconds,
  nowSeconds,
  ThrottledError,
} from '@vestibule/protocol';
import type { Client, ClientRegistrar } from '../client.js';
import type { CreateOutcome, CreationTerms, UnusedClientCap } from '../client-repository.js';
import { type ClientResponse, clientResponse } from '../client-response.js';
import { invalidToken } from '../invalid-token.js';
import {
  type AcceptedRegistration,
  acceptRegistration,
  type RegisterClientInput,
} from './accept-registration.js';
import { grantedScopesAtRegistration } from './client-granted-scopes.js';
import { initialOpenState } from './open-registration.js';
import {
  provisionRegistrationToken,
  provisionSecret,
  type SecretHolder,
  storeSecret,
  storeSecretHash,
} from './provision-credentials.js';
import type { RegistrationAuthority } from './registration-authority.js';
import type { RegistrationDeps } from './registration-deps.js';
import { idempotencyRecordsOf, replayResponse } from './repeatable-request.js';
import { findSharedClient, sharedDigest, sharedResponse } from './shared-client.js';

/** Unused open registrations make room when they end, and are then deleted at intervals. */
const NO_ROOM_RETRY_SECONDS = 300;

/** Maximum number of taken identifiers in a row before the randomness must be broken. */
const MAX_ID_ATTEMPTS = 3;

/**
 * Registers a client (registration/API.md#register, RFC 7591 section 3). The initial access token is consumed in the
 * statement that creates the client, so a failed registration consumes nothing. With an idempotency key, the same
 * statement stores the response for repetitions of the request: of parallel ones exactly one creates a client, and all
 * get its response. Where identical registrations share a client, the first creates it and the others get it.
 *
 * @throws DomainError as `acceptRegistration` decides; `invalid_token` when the initial access token was consumed in
 *   the meantime; `invalid_request` when the idempotency key was used with another body; `too_many_requests` when there
 *   are too many unused open registrations, or too many of one software.
 */
export async function registerClient(
  deps: RegistrationDeps,
  input: RegisterClientInput,
): Promise<ClientResponse> {
  const { repeatable } = input.authority;
  if (repeatable?.earlier !== undefined) return replayResponse(deps, repeatable.earlier, input.body);
  const accepted = await acceptRegistration(deps, input);
  await deps.limits?.admitSoftware(input.authority, softwareOf(accepted));
  const shared = sharedDigest(deps, accepted);
  for (let attempt = 1; attempt <= MAX_ID_ATTEMPTS; attempt += 1) {
    const created = await tryToCreate(deps, accepted, shared);
    if (created.outcome === 'created') return created.response;
    // A parallel copy of the same request may have been faster.
    const earlier =
      repeatable && (await deps.idempotencyRecords.find(repeatable.digests, nowSeconds(deps.clock)));
    if (earlier !== undefined) return replayResponse(deps, earlier, input.body);
    if (created.outcome === 'no_room') throw noRoomRefusal();
    if (created.outcome === 'token_not_usable')
      throw invalidToken('the initial access token was consumed in the meantime');
    if (accepted.request.preferredId !== undefined) throw identifierRefusal();
  }
  throw new Error('generated client identifiers are taken');
}

/** The `software_id` of a registration. */
export function softwareOf({ metadata: { software_id } }: AcceptedRegistration): string | undefined {
  return typeof software_id === 'string' ? software_id : undefined;
}

/** The error for a preset identifier that is taken. */
export function identifierRefusal(): DomainError {
  return new DomainError('invalid_client_metadata', 'preferred_client_id: cannot be used');
}

/** The error for an open registration beyond the cap. */
export function noRoomRefusal(): ThrottledError {
  return new ThrottledError(NO_ROOM_RETRY_SECONDS, 'too many open registrations are unused');
}

/** An attempt to create a client, or to find the one that the registration shares. */
type Attempt =
  | { readonly outcome: 'created'; readonly response: ClientResponse }
  | { readonly outcome: Exclude<CreateOutcome, 'created'> };

async function tryToCreate(
  deps: RegistrationDeps,
  accepted: AcceptedRegistration,
  shared: Uint8Array | undefined,
): Promise<Attempt> {
  const { authority, request, metadata, body, owner } = accepted;
  const present = shared && (await findSharedClient(deps, shared));
  if (present !== undefined) return { outcome: 'created', response: sharedResponse(deps, present, metadata) };
  const now = nowSeconds(deps.clock);
  const id = request.preferredId ?? generateClientId(deps);
  const initial = initialStatus(deps, accepted);
  const secret = await initialSecret(deps, { id, origin: initial.origin }, accepted);
  const registrationToken = shared === undefined ? await provisionRegistrationToken(deps, id) : undefined;
  const client: Client = {
    id,
    metadata,
    ...(request.data && { data: request.data }),
    grantedScopes: grantedScopesAtRegistration(authority, metadata),
    ...initial,
    ...secret?.stored,
    ...(registrationToken && { registrationToken: registrationToken.stored }),
    ...(owner !== undefined && {
      ownership: { owner, isSecretUndelivered: secret?.value !== undefined },
    }),
    issuedAt: now,
    updatedAt: now,
    version: 1,
  };
  const response =
    registrationToken === undefined
      ? sharedResponse(deps, client, metadata)
      : clientResponse(deps, client, { secret: secret?.value, registrationToken: registrationToken.value });
  const idempotencyRecords =
    authority.repeatable && (await idempotencyRecordsOf(deps, authority.repeatable, { body, response }));
  const outcome = await deps.clients.create(client, {
    ...creationTerms(deps, authority, now),
    ...(shared && { sharedDigest: shared }),
    ...(idempotencyRecords && { idempotencyRecords }),
  });
  return outcome === 'created' ? { outcome, response } : { outcome };
}

function initialStatus(
  deps: RegistrationDeps,
  { authority, request }: AcceptedRegistration,
): Pick<Client, 'origin' | 'registrar' | 'status' | 'expiresAt'> {
  if (authority.kind === 'anonymous') return initialOpenState(deps);
  const isImport = request.preferredId !== undefined || request.preferredSecret !== undefined;
  const registrar: ClientRegistrar =
    authority.kind === 'initial_access_token' ? 'initial_access_token' : 'master_token';
  return { origin: isImport ? 'import' : 'registration', registrar, status: 'active' };
}

/** The actor, and what the creation consumes or is limited by. */
function creationTerms(
  deps: RegistrationDeps,
  authority: RegistrationAuthority,
  now: EpochSeconds,
): CreationTerms {
  switch (authority.kind) {
    case 'anonymous': {
      const unusedClientCap = openClientCap(deps, authority);
      return { actor: 'anonymous', ...(unusedClientCap && { unusedClientCap }) };
    }
    case 'initial_access_token':
      return { consuming: { digests: authority.consumes, now } };
    case 'master':
      return { actor: 'master' };
    case 'operator':
      return { actor: authority.operator };
  }
}

/** The cap on unused open registrations, if the registration is one and there is a cap. */
export function openClientCap(
  { digester, settings: { openRegistrations } }: RegistrationDeps,
  authority: RegistrationAuthority,
): UnusedClientCap | undefined {
  const { maxUnused: most } = openRegistrations;
  if (authority.kind !== 'anonymous' || most === 0) return undefined;
  return { most, network: digester.availableDigests('network', authority.network ?? '') };
}

function generateClientId({ random, settings }: RegistrationDeps): ClientId {
  return randomAlphanumeric(settings.clientIdLength, random) as ClientId;
}

/** A hashed secret has no plain-text value for the response. */
async function initialSecret(
  deps: RegistrationDeps,
  holder: SecretHolder,
  {
    request,
    metadata,
    importedSecret,
  }: Pick<AcceptedRegistration, 'request' | 'metadata' | 'importedSecret'>,
): Promise<ProvisionedCredential | undefined> {
  if (!needsClientSecret(metadata)) return undefined;
  if (importedSecret?.kind === 'hash') {
    return { stored: { secretHash: await storeSecretHash(deps, holder, importedSecret.hash) } };
  }
  const given = importedSecret?.value ?? request.preferredSecret;
  const { value, stored } = await (given === undefined
    ? provisionSecret(deps, holder, metadata)
    : storeSecret(deps, holder, given));
  return { value, stored: { secret: stored } };
}

interface ProvisionedCredential {
  readonly value?: string;
  readonly stored: Pick<Client, 'secret' | 'secretHash'>;
}

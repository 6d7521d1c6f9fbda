import { randomAlphanumeric } from '@vestibule/crypto';
import { type ClientMetadata, minimumSecretLength, needsClientSecret } from '@vestibule/metadata';
import { type ClientId, DomainError, nowSeconds } from '@vestibule/protocol';
import { checkRights } from './check-rights.js';
import type { Client, ClientSecret } from './client.js';
import { type ClientAnswer, clientInformation } from './client-information.js';
import { confirmSector, effectiveMetadata } from './confirm-metadata.js';
import { invalidToken } from './invalid-token.js';
import { provisionRegistrationToken } from './provision-registration-token.js';
import { type Provisioned, provisionSecret, storeSecret } from './provision-secret.js';
import type { RegistrationAuthority } from './registration-authority.js';
import type { RegistrationDeps } from './registration-deps.js';
import { parseRegistrationRequest, type RegistrationRequest } from './registration-request.js';

/** A request to register, and what its credential entitles to. */
export interface RegisterClientInput {
  readonly authority: RegistrationAuthority;
  /** The JSON body as it came. */
  readonly body: unknown;
}

/** How often a generated identifier may be taken before something is wrong with the randomness. */
const MAX_ID_ATTEMPTS = 3;

/**
 * Registers a client (Seed 4.1, RFC 7591 section 3). The initial access token is spent in the statement that creates
 * the client: a registration that fails for whatever reason spends nothing.
 *
 * @throws DomainError `invalid_request`, `invalid_redirect_uri`, `invalid_client_metadata` or a software statement code
 *   when the request is not acceptable; `missing_token` or `insufficient_scope` when it exceeds the rights;
 *   `invalid_token` when the initial access token was spent in the meantime.
 */
export async function registerClient(
  deps: RegistrationDeps,
  { authority, body }: RegisterClientInput,
): Promise<ClientAnswer> {
  const request = parseRegistrationRequest(withTemplate(authority, body));
  const metadata = await effectiveMetadata(deps, request.metadata);
  checkRights(authority.rights, { ...request, metadata }, { isAnonymous: authority.kind === 'anonymous' });
  checkPresetSecret(request, metadata);
  await confirmSector(deps, metadata);
  for (let attempt = 1; attempt <= MAX_ID_ATTEMPTS; attempt += 1) {
    const answer = await tryToCreate(deps, { authority, request, metadata });
    if (answer !== undefined) return answer;
    if (request.preferredId !== undefined) {
      throw new DomainError('invalid_client_metadata', 'The parameter preferred_client_id cannot be used.');
    }
  }
  throw new Error('generated client identifiers are taken');
}

interface AcceptedRegistration {
  readonly authority: RegistrationAuthority;
  readonly request: RegistrationRequest;
  readonly metadata: ClientMetadata;
}

/** `undefined` when the identifier is taken. */
async function tryToCreate(
  deps: RegistrationDeps,
  { authority, request, metadata }: AcceptedRegistration,
): Promise<ClientAnswer | undefined> {
  const now = nowSeconds(deps.clock);
  const id = request.preferredId ?? generateClientId(deps);
  const secret = await initialSecret(deps, id, { request, metadata });
  const registrationToken = await provisionRegistrationToken(deps, id);
  const isImport = request.preferredId !== undefined || request.preferredSecret !== undefined;
  const client: Client = {
    id,
    metadata,
    ...(request.data && { data: request.data }),
    rights: authority.rights,
    origin: isImport ? 'import' : 'registration',
    status: 'active',
    ...(secret && { secret: secret.stored }),
    registrationToken: registrationToken.stored,
    issuedAt: now,
    updatedAt: now,
    version: 1,
  };
  const spending = authority.spends && { candidates: authority.spends, now };
  const outcome = await deps.clients.create(client, spending);
  if (outcome === 'token_not_usable')
    throw invalidToken('the initial access token was spent in the meantime');
  if (outcome === 'id_taken') return undefined;
  const revealed = { secret: secret?.value, registrationToken: registrationToken.value };
  return { information: clientInformation(client, deps.settings.issuer, revealed), version: client.version };
}

function withTemplate({ metadataTemplate }: RegistrationAuthority, body: unknown): unknown {
  if (metadataTemplate === undefined || typeof body !== 'object' || Array.isArray(body)) return body;
  return { ...metadataTemplate, ...body };
}

function generateClientId({ random, settings }: RegistrationDeps): ClientId {
  return randomAlphanumeric(settings.clientIdLength, random) as ClientId;
}

function initialSecret(
  deps: RegistrationDeps,
  id: ClientId,
  { request, metadata }: Pick<AcceptedRegistration, 'request' | 'metadata'>,
): Promise<Provisioned<ClientSecret> | undefined> {
  if (!needsClientSecret(metadata)) return Promise.resolve(undefined);
  const { preferredSecret } = request;
  return preferredSecret === undefined
    ? provisionSecret(deps, id, metadata)
    : storeSecret(deps, id, preferredSecret);
}

// RFC 7518 section 3.2: a shorter key than the hash makes HMAC signatures guessable offline.
function checkPresetSecret({ preferredSecret }: RegistrationRequest, metadata: ClientMetadata): void {
  if (preferredSecret === undefined) return;
  if (!needsClientSecret(metadata)) {
    throw presetSecretRefusal('is of no use to a client without secret');
  }
  if (preferredSecret.length < minimumSecretLength(metadata)) {
    throw presetSecretRefusal('is too short for the HMAC algorithms of the client');
  }
}

function presetSecretRefusal(rule: string): DomainError {
  return new DomainError('invalid_client_metadata', `The parameter preferred_client_secret ${rule}.`);
}

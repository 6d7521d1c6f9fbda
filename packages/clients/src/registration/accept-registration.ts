import type { ClientMetadata } from '@vestibule/metadata';
import { minimumSecretLength, needsClientSecret } from '@vestibule/metadata/client-secret-need';
import { DomainError } from '@vestibule/protocol';
import { isJsonObject } from '@vestibule/protocol/json';
import type { ClientOwner } from '../client-owner.js';
import type { PolicySubjectAuthority } from '../policy/registration-policy.js';
import { completedBy } from './alternative-members.js';
import { checkGrantedScopes } from './check-granted-scopes.js';
import { confirmSector, effectiveMetadata } from './confirm-metadata.js';
import { omitExcess, omitUnknownGrantTypes } from './omit-excess.js';
import type { RegistrationAuthority } from './registration-authority.js';
import type { RegistrationDeps } from './registration-deps.js';
import { parseRegistrationRequest, type RegistrationRequest } from './registration-request.js';

/** A request to register, with the authority of its credential. */
export interface RegisterClientInput {
  readonly authority: RegistrationAuthority;
  /** The parsed JSON body, not validated yet. */
  readonly body: unknown;
  /** A secret that an import has validated. Otherwise the preset secret of the body, or a generated one. */
  readonly importedSecret?: ImportedSecret | undefined;
  /** The set of files that owns the client from the beginning. */
  readonly owner?: ClientOwner | undefined;
}

/** A validated registration that can be carried out. */
export interface AcceptedRegistration extends RegisterClientInput {
  readonly request: RegistrationRequest;
  readonly metadata: ClientMetadata;
}

/**
 * Validates a request to register against the granted scopes of its credential, including the documents that it refers to.
 * Changes nothing.
 * @throws DomainError `invalid_request`, `invalid_redirect_uri`, `invalid_client_metadata` or a software statement code
 *   when the request is not acceptable; `missing_token` or `insufficient_scope` when it exceeds the granted scopes.
 */
export async function acceptRegistration(
  deps: RegistrationDeps,
  { authority, body, importedSecret, owner }: RegisterClientInput,
): Promise<AcceptedRegistration> {
  const requested = parseRegistrationRequest(withTemplate(authority, body));
  const mayOmit = authority.kind === 'anonymous' && deps.settings.openRegistrations.omitsExcess;
  const performed = mayOmit ? omitUnknownGrantTypes(requested.metadata, deps.supported) : requested.metadata;
  const effective = await effectiveMetadata(deps, performed, {
    authority: POLICY_AUTHORITIES[authority.kind],
    data: requested.data,
  });
  const whole = { request: requested, metadata: effective };
  const { request, metadata } = mayOmit
    ? omitExcess(authority.grantedScopes, whole, deps.settings.issuer)
    : whole;
  checkGrantedScopes(
    authority.grantedScopes,
    { ...request, metadata },
    { isAnonymous: authority.kind === 'anonymous' },
  );
  checkPresetSecret(request, metadata);
  await confirmSector(deps, metadata);
  return { authority, body, importedSecret, owner, request, metadata };
}

const POLICY_AUTHORITIES = {
  anonymous: 'anonymous',
  initial_access_token: 'initial_access_token',
  master: 'master_token',
  operator: 'operator',
} as const satisfies Readonly<Record<RegistrationAuthority['kind'], PolicySubjectAuthority>>;

function withTemplate(authority: RegistrationAuthority, body: unknown): unknown {
  const template = authority.kind === 'initial_access_token' ? authority.metadataTemplate : undefined;
  return template === undefined || !isJsonObject(body) ? body : completedBy(body, template);
}

// RFC 7518 section 3.2: a key shorter than the hash makes HMAC signatures guessable offline.
function checkPresetSecret({ preferredSecret }: RegistrationRequest, metadata: ClientMetadata): void {
  if (preferredSecret === undefined) return;
  if (!needsClientSecret(metadata)) {
    throw presetSecretRefusal('must be absent for a client without a secret');
  }
  if (preferredSecret.length < minimumSecretLength(metadata)) {
    throw presetSecretRefusal('is too short for the HMAC algorithms of the client');
  }
}

function presetSecretRefusal(rule: string): DomainError {
  return new DomainError('invalid_client_metadata', `preferred_client_secret: ${rule}`);
}

/** The secret that a client brings from another server. */
export type ImportedSecret =
  | { readonly kind: 'clear'; readonly value: string }
  /** In one of the formats of `parseSecretHash`. */
  | { readonly kind: 'hash'; readonly hash: string };

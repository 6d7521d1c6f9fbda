import { type ClientMetadata, checkSectorIdentifier, validateClientMetadata } from '@vestibule/metadata';
import { DomainError } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { applyRegistrationPolicy } from '../policy/evaluate-by-policy.js';
import type { PolicySubject } from '../policy/registration-policy.js';
import { checkResourceIdentifiers } from '../resource-servers/resource-identifiers.js';
import { checkResourceScopes } from '../resource-servers/resource-scopes.js';
import { withStatedMetadata } from '../software-statements/stated-metadata.js';
import type { RegistrationDeps } from './registration-deps.js';

/**
 * Computes the metadata of a registration: software statement claims take the place of plain members (RFC 7591 section
 * 2.3), then the policy applies.
 * @throws DomainError as the metadata rules, the verifier and the policy decide.
 */
export async function effectiveMetadata(
  deps: RegistrationDeps,
  requested: JsonObject,
  policySubject: PolicySubject,
): Promise<ClientMetadata> {
  const { supported, settings, policy } = deps;
  const stated = await withStatedMetadata(deps, requested, policySubject.client?.metadata);
  const metadata =
    policy === undefined
      ? validateClientMetadata(stated, supported, settings.metadata)
      : await applyRegistrationPolicy(deps, policy, { ...policySubject, metadata: stated });
  checkResourceIdentifiers(metadata, settings.issuer);
  checkResourceScopes(metadata, settings.issuer);
  return metadata;
}

/**
 * Checks that the document at `sector_identifier_uri` lists every redirect URI (OpenID Connect Dynamic Client
 * Registration 1.0 section 5).
 * @throws DomainError `invalid_client_metadata`
 */
export async function confirmSector(deps: RegistrationDeps, metadata: ClientMetadata): Promise<void> {
  const uri = metadata.sector_identifier_uri;
  if (uri === undefined) return;
  if (deps.sectorIdentifiers === undefined) {
    throw new DomainError('invalid_client_metadata', 'sector_identifier_uri: is not supported');
  }
  checkSectorIdentifier(await deps.sectorIdentifiers.read(uri), metadata);
}

import type { FederatedRegistration } from '@vestibule/clients/registration';
import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import type { RegistrationTrust } from '../registration/resolve-registration.js';
import type { ParsedConfiguration } from '../statements/entity-statement.js';
import { type ClientKeysDeps, withSignedKeys } from './client-keys.js';
import type { FederationRegistrationDeps } from './federation-registration-deps.js';
import { requireOffered } from './offered-by-provider.js';

/** The inputs of the lifetime of a registration. */
export interface RegistrationTerms
  extends ClientKeysDeps,
    Pick<FederationRegistrationDeps, 'grantedScopes' | 'providerMetadata'> {
  /** Maximum lifetime of a registration in seconds; 0 for that of the chain. */
  readonly clientLifetimeSeconds: number;
}

/** The entity to register, and its statement. */
export interface RegisteringEntity extends Pick<ParsedConfiguration, 'subject' | 'issuedAt'> {
  /** Whether the entity itself sent the request to this provider. */
  readonly isAddressed: boolean;
}

/**
 * The metadata and lifetime of a registration, which never exceeds that of its chain and keys.
 * @throws DomainError as `requireOffered` and `withSignedKeys`
 */
export async function federatedRegistration(
  terms: RegistrationTerms,
  trust: RegistrationTrust,
  { subject, issuedAt, isAddressed }: RegisteringEntity,
): Promise<FederatedRegistration> {
  const { clock, clientLifetimeSeconds, grantedScopes, providerMetadata } = terms;
  const { chain } = trust;
  const { metadata, expiresAt: keysExpireAt = trust.expiresAt } = await withSignedKeys(terms, trust);
  const expiresAt = Math.min(trust.expiresAt, keysExpireAt);
  await requireOffered(metadata, providerMetadata);
  const longest = clientLifetimeSeconds === 0 ? expiresAt : nowSeconds(clock) + clientLifetimeSeconds;
  return {
    metadata,
    grantedScopes: grantedScopes(chain.anchor),
    expiresAt: epochSeconds(Math.min(expiresAt, longest)),
    membership: {
      entityId: subject,
      trustAnchor: chain.anchor,
      superior: chain.entities[1] ?? chain.anchor,
      chainEntities: chain.entities,
      chainExpiresAt: chain.expiresAt,
      statementIssuedAt: issuedAt,
      isAddressed,
    },
  };
}

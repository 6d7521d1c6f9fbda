import type { FederatedRegistration } from '@vestibule/clients/federation-registration';
import { CHOICE_MEMBERS } from '@vestibule/metadata';
import { DomainError, epochSeconds, nowSeconds } from '@vestibule/protocol';
import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import type { StatementReader } from '../chains/statement-reader.js';
import { FederationFailure } from '../federation-failure.js';
import { RELYING_PARTY } from '../registration/explicit-request.js';
import { refusalOf } from '../registration/refusals.js';
import type { RegistrationTrust } from '../registration/resolve-registration.js';
import { type SignedKeySet, verifySignedKeySet } from '../registration/signed-key-set.js';
import type { ParsedConfiguration } from '../statements/entity-statement.js';
import { readEndpoint } from '../statements/statement-claims.js';
import type { FederationRegistrationDeps } from './federation-registration-deps.js';

/** The inputs of a registration. */
export interface RegistrationTerms
  extends Pick<FederationRegistrationDeps, 'clock' | 'allowHosts' | 'grantedScopes' | 'providerMetadata'> {
  /** Fetches from the budget of the resolution of the entity. */
  readonly reader: Pick<StatementReader, 'signedKeySet'>;
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
 * @throws DomainError `invalid_client_metadata` if `signed_jwks_uri` is not a permitted URL, or the provider does not offer
 *   the metadata; `unauthorized_client` if the key set at `signed_jwks_uri` is unavailable or untrusted;
 *   `too_many_requests` if there was no capacity to fetch it; `server_error` if the metadata of the provider are
 *   unavailable
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

/**
 * The metadata of a trusted entity, with the keys at `signed_jwks_uri` as `jwks` if it has neither `jwks` nor
 * `jwks_uri`: OpenID Federation 1.0 prefers none, since all must contain the same keys.
 */
async function withSignedKeys(
  { reader, clock, allowHosts }: RegistrationTerms,
  trust: RegistrationTrust,
): Promise<{ readonly metadata: JsonObject } & Partial<Pick<SignedKeySet, 'expiresAt'>>> {
  const metadata = trust.chain.metadata[RELYING_PARTY] ?? {};
  const { jwks, jwks_uri: address, signed_jwks_uri: signed, ...others } = metadata;
  if (signed === undefined || jwks !== undefined || address !== undefined) return { metadata };
  const url = readEndpoint(signed, allowHosts);
  if (url === undefined)
    throw new DomainError(
      'invalid_client_metadata',
      'signed_jwks_uri: must be an https URL without a fragment',
    );
  try {
    const text = await reader.signedKeySet(url);
    const keys = await verifySignedKeySet(text, trust.chain, { now: nowSeconds(clock), allowHosts });
    return { metadata: { ...others, jwks: keys.jwks }, expiresAt: keys.expiresAt };
  } catch (failure) {
    if (!(failure instanceof FederationFailure)) throw failure;
    const { subject } = trust.chain.subject;
    throw refusalOf(failure, { issuer: subject, subject });
  }
}

/** Client metadata whose values the provider metadata list, and the member that lists them. */
const LISTED: Readonly<Record<string, string>> = {
  grant_types: 'grant_types_supported',
  response_types: 'response_types_supported',
  token_endpoint_auth_method: 'token_endpoint_auth_methods_supported',
};

/**
 * Refuses client metadata that the provider does not offer: members of federations read in its metadata what they may
 * register (federation/API.md#entity-statement). A member that the provider does not publish limits nothing. Of a list
 * of supported values one must be offered, since one is registered (OpenID Connect Relying Party Metadata Choices 1.0).
 * @param readProvider Reads the metadata of the provider as published in its entity configuration.
 * @throws DomainError `invalid_client_metadata`; `server_error` if the metadata of the provider are unavailable.
 */
export async function requireOffered(
  requested: JsonObject,
  readProvider: () => Promise<JsonObject>,
): Promise<void> {
  const provider = await readProvider().catch((cause: unknown) => {
    throw new DomainError('server_error', 'The metadata of the provider could not be fetched.', { cause });
  });
  for (const [member, listedBy] of Object.entries(LISTED)) {
    const offered = textsOf(provider[listedBy]).map(normal);
    const listed = CHOICE_MEMBERS.has(listedBy) ? textsOf(requested[listedBy]) : [];
    if (listed.some((value) => offered.includes(normal(value)))) continue;
    const missing = [...listed, ...textsOf(requested[member])].find(
      (value) => !offered.includes(normal(value)),
    );
    if (Array.isArray(provider[listedBy]) && missing !== undefined)
      throw new DomainError(
        'invalid_client_metadata',
        `${member}: the provider does not offer every value (${listedBy}: ${textsOf(provider[listedBy]).join(', ')})`,
      );
  }
}

/** The strings of a member that is a string or a list; the metadata rules check everything else. */
function textsOf(value: JsonValue | undefined): readonly string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
}

/** The words of a response type have no order. */
function normal(value: string): string {
  return value.split(' ').toSorted().join(' ');
}

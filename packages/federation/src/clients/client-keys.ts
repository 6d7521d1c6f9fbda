import { DomainError, nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { StatementReader } from '../chains/statement-reader.js';
import { FederationFailure } from '../federation-failure.js';
import { RELYING_PARTY } from '../registration/explicit-request.js';
import { refusalOf } from '../registration/refusals.js';
import type { RegistrationTrust } from '../registration/resolve-registration.js';
import { type SignedKeySet, verifySignedKeySet } from '../registration/signed-key-set.js';
import { readEndpoint } from '../statements/statement-claims.js';
import type { FederationRegistrationDeps } from './federation-registration-deps.js';

/** Dependencies of reading the keys of an entity; fetches come from the budget of its resolution. */
export interface ClientKeysDeps extends Pick<FederationRegistrationDeps, 'clock' | 'allowHosts'> {
  readonly reader: Pick<StatementReader, 'signedKeySet'>;
}

/**
 * The metadata of a trusted entity, with the keys at `signed_jwks_uri` as `jwks` if it has neither `jwks` nor
 * `jwks_uri`: OpenID Federation 1.0 prefers none, since all must contain the same keys.
 * @throws DomainError `invalid_client_metadata` if `signed_jwks_uri` is not a permitted URL, `unauthorized_client` if
 *   the key set is unavailable or untrusted
 */
export async function withSignedKeys(
  deps: ClientKeysDeps,
  trust: RegistrationTrust,
): Promise<{ readonly metadata: JsonObject } & Partial<Pick<SignedKeySet, 'expiresAt'>>> {
  const metadata = trust.chain.metadata[RELYING_PARTY] ?? {};
  const { jwks, jwks_uri: address, signed_jwks_uri: signed, ...others } = metadata;
  if (signed === undefined || jwks !== undefined || address !== undefined) return { metadata };
  const url = readEndpoint(signed, deps.allowHosts);
  if (url === undefined)
    throw new DomainError(
      'invalid_client_metadata',
      'signed_jwks_uri: must be an https URL without a fragment',
    );
  try {
    const text = await deps.reader.signedKeySet(url);
    const keys = await verifySignedKeySet(text, trust.chain, {
      now: nowSeconds(deps.clock),
      allowHosts: deps.allowHosts,
    });
    return { metadata: { ...others, jwks: keys.jwks }, expiresAt: keys.expiresAt };
  } catch (failure) {
    if (!(failure instanceof FederationFailure)) throw failure;
    const { subject } = trust.chain.subject;
    throw refusalOf(failure, { issuer: subject, subject });
  }
}

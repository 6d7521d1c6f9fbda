import type { EpochSeconds } from '@vestibule/protocol';
import { JWT_TYP } from '@vestibule/protocol/constants';
import { FederationFailure } from '../federation-failure.js';
import { decodeStatement } from '../statements/decode-statement.js';
import type { VerifiedConfiguration } from '../statements/entity-statement.js';
import {
  claimOf,
  optionalTime,
  readEndpoint,
  requireEntity,
  requireText,
  requireTime,
} from '../statements/statement-claims.js';
import { requireAlive } from '../statements/verify-statement.js';
import { requireMarkSignature, requireSignedHeader, type UnverifiedMark } from './signed-mark.js';
import type { TrustMarkContext, TrustMarkIssuer } from './trust-mark-context.js';

const ENDPOINT = 'federation_trust_mark_status_endpoint';

/**
 * Requests the status of a trust mark from its issuer, since a mark can be revoked before its `exp`. The marks of an
 * issuer without a status endpoint are accepted without a request, since the endpoint is optional. Only the issuer's
 * own configuration determines the endpoint.
 * @throws FederationFailure unless the issuer confirms that the mark is active: `trust_mark_status` if it responds
 *   otherwise, `trust_mark_unconfirmed` if it could not be reached.
 * @see OpenID Federation 1.0 sections 7.3 and 8.4
 */
export async function requireActive(
  mark: UnverifiedMark,
  issuer: TrustMarkIssuer,
  { issuers, allowHosts, now }: Pick<TrustMarkContext, 'issuers' | 'allowHosts' | 'now'>,
): Promise<void> {
  const { metadata } = await configurationOf(issuer);
  const stated = claimOf(metadata['federation_entity'] ?? {}, ENDPOINT);
  if (stated === undefined) return;
  const endpoint = readEndpoint(stated, allowHosts);
  if (endpoint === undefined)
    throw new FederationFailure(
      'trust_mark_status',
      `${ENDPOINT} of the issuer of the mark is not an https URL without a fragment`,
    );
  await issuers.fetchStatus(endpoint, mark.token, (response) =>
    verifyStatus(response, mark, issuer, { allowHosts, now }),
  );
}

/** Reads the entity configuration of the issuer of a mark, which names the status endpoint. */
async function configurationOf(issuer: TrustMarkIssuer): Promise<VerifiedConfiguration> {
  try {
    return await issuer.configuration();
  } catch (cause) {
    if (!(cause instanceof FederationFailure) || cause.reason !== 'unresolvable') throw cause;
    throw new FederationFailure(
      'trust_mark_unconfirmed',
      'the configuration of the issuer, which names the status endpoint, is not available',
      cause,
    );
  }
}

async function verifyStatus(
  response: string,
  mark: UnverifiedMark,
  { keys }: TrustMarkIssuer,
  { allowHosts, now }: { readonly allowHosts: readonly string[]; readonly now: EpochSeconds },
): Promise<void> {
  const { header, claims } = decodeStatement(response);
  requireSignedHeader(header, JWT_TYP.trustMarkStatusResponse);
  if (
    requireEntity(claims, 'iss', allowHosts) !== mark.issuer ||
    requireText(claims, 'trust_mark') !== mark.token
  )
    throw new FederationFailure(
      'unexpected_statement',
      'the status is by another issuer, or of another mark',
    );
  const times = { issuedAt: requireTime(claims, 'iat'), expiresAt: optionalTime(claims, 'exp') };
  requireAlive(times, now);
  await requireMarkSignature({ token: response }, JWT_TYP.trustMarkStatusResponse, keys);
  if (requireText(claims, 'status') !== 'active')
    throw new FederationFailure('trust_mark_status', 'the issuer of the mark says that it is not active');
}

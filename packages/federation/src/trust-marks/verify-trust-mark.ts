import type { EpochSeconds } from '@vestibule/protocol';
import { JWT_TYP } from '@vestibule/protocol/constants';
import { requireNoneDenied } from '../chains/denied-entities.js';
import type { EntityId } from '../entity-id.js';
import { FederationFailure } from '../federation-failure.js';
import type {
  StatedTrustMark,
  TrustMarkOwner,
  VerifiedConfiguration,
} from '../statements/entity-statement.js';
import { requireText } from '../statements/statement-claims.js';
import { requireAlive } from '../statements/verify-statement.js';
import { requireActive } from './mark-status.js';
import { readMark, requireMarkSignature, type UnverifiedMark } from './signed-mark.js';
import type { TrustMarkContext } from './trust-mark-context.js';

declare const verifiedBrand: unique symbol;

/** A trust mark that was issued to its subject by an issuer that the anchor accepts for the type. */
export interface TrustMark {
  readonly [verifiedBrand]: true;
  readonly type: string;
  readonly issuer: EntityId;
  readonly subject: EntityId;
  /** Expiry of the mark or its delegation; absent if neither expires. */
  readonly expiresAt: EpochSeconds | undefined;
}

/**
 * Verifies a trust mark: first everything that needs no fetch, then the signature, whose keys may have to be fetched,
 * and then the status.
 * @throws FederationFailure with the reason why it is not accepted.
 * @see OpenID Federation 1.0 section 7.3
 */
export async function verifyTrustMark(
  stated: StatedTrustMark,
  context: TrustMarkContext,
): Promise<TrustMark> {
  const { subject, anchor, now, allowHosts } = context;
  const mark = readMark(stated.token, JWT_TYP.trustMark, allowHosts);
  if (mark.subject !== subject || mark.type !== stated.type)
    throw new FederationFailure('unexpected_statement', 'the mark is for another entity, or of another type');
  requireAlive(mark, now);
  requireNoneDenied([mark.issuer], context);
  requireTrustedIssuer(mark, anchor);
  const delegation = await verifyDelegation(mark, context);
  const issuer = await context.issuers.find(mark.issuer);
  if (issuer === undefined)
    throw new FederationFailure('unresolvable', 'no superior vouches for the issuer of the mark');
  await requireMarkSignature(mark, JWT_TYP.trustMark, issuer.keys);
  await requireActive(mark, issuer, context);
  const content: Omit<TrustMark, typeof verifiedBrand> = {
    type: mark.type,
    issuer: mark.issuer,
    subject,
    expiresAt: earlier(mark.expiresAt, delegation?.expiresAt),
  };
  return content as TrustMark;
}

function requireTrustedIssuer({ type, issuer }: UnverifiedMark, anchor: VerifiedConfiguration): void {
  const issuers = anchor.trustMarkIssuers.get(type);
  // An empty list: any entity may issue marks of the type.
  if (issuers === undefined || (issuers.length > 0 && !issuers.includes(issuer)))
    throw new FederationFailure(
      'trust_mark',
      'the anchor does not trust the issuer with the type of the mark',
    );
}

/** Requires a delegation by the owner of the type if it has one, and no delegation otherwise. */
async function verifyDelegation(
  mark: UnverifiedMark,
  context: TrustMarkContext,
): Promise<UnverifiedMark | undefined> {
  const { anchor, now, allowHosts } = context;
  const owner = anchor.trustMarkOwners.get(mark.type);
  const isDelegated = Object.hasOwn(mark.claims, 'delegation');
  if (owner === undefined && !isDelegated) return undefined;
  if (owner === undefined || !isDelegated)
    throw new FederationFailure('trust_mark', 'the owner of the type has not delegated the mark');
  requireNoneDenied([owner.subject], context);
  const token = requireText(mark.claims, 'delegation');
  const delegation = readMark(token, JWT_TYP.trustMarkDelegation, allowHosts);
  requireDelegationOf(delegation, mark, owner);
  requireAlive(delegation, now);
  await requireMarkSignature(delegation, JWT_TYP.trustMarkDelegation, owner.jwks);
  return delegation;
}

function requireDelegationOf(delegation: UnverifiedMark, mark: UnverifiedMark, owner: TrustMarkOwner): void {
  const isFitting =
    delegation.issuer === owner.subject &&
    delegation.subject === mark.issuer &&
    delegation.type === mark.type;
  if (!isFitting)
    throw new FederationFailure(
      'trust_mark',
      'the delegation is by another owner, for another issuer or type',
    );
}

function earlier(one: EpochSeconds | undefined, other: EpochSeconds | undefined): EpochSeconds | undefined {
  if (other === undefined) return one;
  return one !== undefined && one < other ? one : other;
}

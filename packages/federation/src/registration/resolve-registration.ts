import type { EpochSeconds } from '@vestibule/protocol';
import type { CandidateChain } from '../chains/candidate-chain.js';
import { abandonedPath } from '../chains/chain-report.js';
import { requireNoneDenied } from '../chains/denied-entities.js';
import type { TrustRules } from '../chains/evaluate-path.js';
import { decisiveFailure } from '../chains/explain-resolution.js';
import {
  evaluateGivenChain,
  type Resolution,
  type ResolutionContext,
  resolveTrust,
} from '../chains/resolve-trust.js';
import { type TrustedChain, validateChain } from '../chains/validate-chain.js';
import type { EntityId } from '../entity-id.js';
import { FederationFailure } from '../federation-failure.js';
import type { ParsedConfiguration } from '../statements/entity-statement.js';
import { requireAlive, verifyConfiguration } from '../statements/verify-statement.js';
import { PROVIDER, RELYING_PARTY } from './explicit-request.js';
import { refusalOf } from './refusals.js';

/** An entity to register, with the chains that it sent. */
export interface RelyingParty {
  readonly subject: ParsedConfiguration;
  readonly chain: CandidateChain | undefined;
  readonly peerChain: CandidateChain | undefined;
}

/** The rules by which an entity registers. */
export interface RegistrationRules extends Omit<TrustRules, 'entityType' | 'requestedAnchor'> {
  /** Our own entity identifier. */
  readonly self: EntityId;
  /** Earliest issue time of an accepted statement for a registered entity; absent for an unregistered one. */
  readonly notIssuedBefore?: EpochSeconds;
  /** Issue time of the statement of the current registration. */
  readonly registeredByIssuedAt?: EpochSeconds;
  /** Whether the entity has a registration that only a statement with `aud` may replace. Default: false. */
  readonly needsAudience?: boolean;
}

/** The basis of a registration. */
export interface RegistrationTrust {
  readonly chain: TrustedChain;
  /** Latest expiry of the registration. */
  readonly expiresAt: EpochSeconds;
}

/**
 * Determines whether an entity may register: checks without the network come first, including its own signature. If the
 * request contains a chain, no other one is used. The result reports every check.
 */
export async function resolveRegistration(
  { subject, chain, peerChain }: RelyingParty,
  rules: RegistrationRules,
  context: ResolutionContext,
): Promise<Resolution> {
  const requestedAnchor = subject.requestedAnchor ?? peerChain?.links.at(-1)?.statement.issuer;
  try {
    requireNoneDenied([subject.subject], rules);
    requireAlive(subject, rules.now);
    requireReplaceable(subject, rules);
    await verifyConfiguration(subject, subject.jwks);
    if (peerChain !== undefined) await requirePeerChain(peerChain, { ...rules, requestedAnchor });
  } catch (failure) {
    if (!(failure instanceof FederationFailure)) throw failure;
    const path = abandonedPath({ subject, links: [] }, undefined, failure);
    return { subject: subject.subject, chosen: undefined, paths: [path], fetches: 0 };
  }
  const trustRules: TrustRules = { ...rules, entityType: RELYING_PARTY, requestedAnchor };
  return chain === undefined
    ? resolveTrust(subject, trustRules, context)
    : evaluateGivenChain(chain, trustRules, context);
}

/**
 * The chain of a resolution.
 * @throws DomainError `unauthorized_client` if none is trusted, with the same description for every reason;
 *   `too_many_requests` if a path was abandoned for lack of capacity.
 */
export function requireTrust(resolution: Resolution): RegistrationTrust {
  if (resolution.chosen !== undefined) return { chain: resolution.chosen, expiresAt: resolution.expiresAt };
  const { reason, detail, failedAt } = decisiveFailure(resolution.paths);
  throw refusalOf(new FederationFailure(reason, detail), failedAt);
}

/** Checks that the statement may replace that of the current registration. */
function requireReplaceable(
  { issuedAt, audience }: ParsedConfiguration,
  { notIssuedBefore, registeredByIssuedAt, needsAudience = false }: RegistrationRules,
): void {
  if (needsAudience && audience === undefined)
    throw new FederationFailure(
      'audience',
      'a statement without aud replaces no registration that the entity addressed to this provider',
    );
  if (notIssuedBefore !== undefined && issuedAt < notIssuedBefore)
    throw new FederationFailure(
      'replayed',
      // Only the time of the earlier statement is known.
      issuedAt === registeredByIssuedAt
        ? 'the statement was sent a second time: iat is that of the statement that the entity is registered by'
        : 'the statement is older than the one that the entity is registered by',
    );
}

/** A chain about the provider must be valid as well, and end at the same anchor (OpenID Federation 1.0 section 4.4). */
async function requirePeerChain(
  peerChain: CandidateChain,
  { self, ...rules }: RegistrationRules & Pick<TrustRules, 'requestedAnchor'>,
): Promise<void> {
  if (peerChain.subject.subject !== self)
    throw new FederationFailure('given_chain', 'the chain of the peer is not about this provider');
  const verdict = await validateChain(peerChain, { ...rules, entityType: PROVIDER });
  if (!verdict.ok) throw verdict.failure;
}

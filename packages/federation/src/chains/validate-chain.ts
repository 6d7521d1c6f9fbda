import type { PublicJwkSet } from '@vestibule/crypto/public-keys';
import type { EntityMetadata } from '@vestibule/metadata/policy';
import { type EpochSeconds, epochSeconds } from '@vestibule/protocol';
import { requireWithinConstraints } from '../constraints/check-constraints.js';
import type { EntityId } from '../entity-id.js';
import { FederationFailure } from '../federation-failure.js';
import type { VerifiedConfiguration, VerifiedSubordinateStatement } from '../statements/entity-statement.js';
import { requireAlive } from '../statements/verify-statement.js';
import { type ConditionsByAnchor, maxPathLengthTo } from './anchor-conditions.js';
import { type CandidateChain, entitiesOf } from './candidate-chain.js';
import { type PathReport, type StatementCheck, statementsOf } from './chain-report.js';
import { type ChainTrace, traceOf } from './chain-trace.js';
import { type DeniedEntities, requireNoneDenied } from './denied-entities.js';
import { resolveMetadata } from './resolve-metadata.js';
import type { TrustAnchors } from './trust-anchors.js';
import { verifySignatures } from './verify-signatures.js';

declare const trustedBrand: unique symbol;

/** A chain to a configured anchor, with every statement verified. */
export interface TrustedChain {
  readonly [trustedBrand]: true;
  readonly subject: VerifiedConfiguration;
  /** That of the immediate superior first. */
  readonly statements: readonly VerifiedSubordinateStatement[];
  readonly anchor: EntityId;
  /** Absent if a given chain does not contain it. */
  readonly anchorConfiguration: VerifiedConfiguration | undefined;
  /** The subject first, the anchor last. */
  readonly entities: readonly EntityId[];
  /** The resolved metadata of the subject. */
  readonly metadata: EntityMetadata;
  /** The keys under which the signatures of each entity of the chain verify. */
  readonly keys: ReadonlyMap<EntityId, PublicJwkSet>;
  /** The configurations of the entities of the chain; a given chain does not contain those of its intermediates. */
  readonly configurations: ReadonlyMap<EntityId, VerifiedConfiguration>;
  /** The earliest `exp` of its statements. */
  readonly expiresAt: EpochSeconds;
}

/** The rules for a chain. */
export interface ChainRules {
  readonly anchors: TrustAnchors;
  /** Maximum number of intermediates between the subject and the anchor. */
  readonly maxPathLength: number;
  /** Conditions of single anchors, which replace those for all. */
  readonly byAnchor?: ConditionsByAnchor;
  /** Entities that must not be in the chain. */
  readonly denied?: DeniedEntities;
  /** The entity type that the subject must finally have, if one is required. */
  readonly entityType?: string;
  /** The only accepted anchor, if one is requested. */
  readonly requestedAnchor?: EntityId | undefined;
  readonly now: EpochSeconds;
}

/** Result of validating a chain, with a report of every check. */
export type ChainVerdict =
  | { readonly ok: true; readonly chain: TrustedChain; readonly report: PathReport }
  | { readonly ok: false; readonly failure: FederationFailure; readonly report: PathReport };

/**
 * Validates a chain as a whole: cheap checks first, then signatures from the anchor down, then policies.
 * @see OpenID Federation 1.0 sections 4 and 10.2
 */
export async function validateChain(candidate: CandidateChain, rules: ChainRules): Promise<ChainVerdict> {
  const trace = traceOf(candidate);
  try {
    const chain = await evaluate(candidate, rules, trace);
    return { ok: true, chain, report: trace.report() };
  } catch (failure) {
    if (!(failure instanceof FederationFailure)) throw failure;
    return { ok: false, failure, report: trace.report(failure) };
  }
}

async function evaluate(
  candidate: CandidateChain,
  rules: ChainRules,
  trace: ChainTrace,
): Promise<TrustedChain> {
  const entities = entitiesOf(candidate);
  const { anchor, keys: pinned } = requireAnchor(candidate, rules);
  requireNoneDenied(entities, rules);
  if (candidate.links.length - 1 > maxPathLengthTo(anchor, rules))
    throw new FederationFailure('path_too_long', 'there are more intermediates than permitted');
  if (new Set(entities).size < entities.length)
    throw new FederationFailure('loop', 'an entity is in the path twice');
  await checkEach(candidate, trace, 'linked', (index) => requireLinked(candidate, entities, index));
  await checkEach(candidate, trace, 'superior_named', (index) => requireNamed(candidate, index));
  await checkEach(candidate, trace, 'alive', (index) => requireAllAlive(candidate, index, rules.now));
  await checkEach(candidate, trace, 'constraints', (index) => requireConstraints(candidate, entities, index));
  const verified = await verifySignatures(candidate, pinned, trace);
  const resolution = resolveMetadata(verified.subject, verified.statements, rules.entityType);
  trace.metadata(resolution);
  if (!resolution.ok) throw resolution.failure;
  const expiresAt = epochSeconds(
    Math.min(...statementsOf(candidate).map((statement) => statement.expiresAt)),
  );
  const chain = { ...verified, anchor, entities, metadata: resolution.metadata, expiresAt };
  trace.expiresAt(expiresAt);
  const content: Omit<TrustedChain, typeof trustedBrand> = chain;
  return content as TrustedChain;
}

/** The anchor at which the chain ends, and its pinned keys. */
function requireAnchor(candidate: CandidateChain, { anchors, requestedAnchor }: ChainRules) {
  const anchor = candidate.links.at(-1)?.statement.issuer;
  const keys = anchor === undefined ? undefined : anchors.get(anchor);
  if (anchor === undefined || keys === undefined)
    throw new FederationFailure('unknown_anchor', 'the chain ends at no configured anchor');
  if (requestedAnchor !== undefined && requestedAnchor !== anchor)
    throw new FederationFailure('unknown_anchor', 'the chain ends at another anchor than asked for');
  return { anchor, keys };
}

async function checkEach(
  candidate: CandidateChain,
  trace: ChainTrace,
  check: StatementCheck,
  step: (index: number) => void,
): Promise<void> {
  for (const index of statementsOf(candidate).keys())
    await trace.check(index, check, async () => step(index));
}

/** ES[j].iss is ES[j+1].sub (OpenID Federation 1.0 section 4), and the configuration of a superior is its own. */
function requireLinked(candidate: CandidateChain, entities: readonly EntityId[], index: number): void {
  const about = statementsOf(candidate)[index]?.subject;
  const configuration = candidate.links[index - 1]?.configuration;
  const isForeign = configuration !== undefined && configuration.subject !== entities[index];
  if (about !== entities[Math.max(0, index - 1)] || isForeign)
    throw new FederationFailure('unexpected_statement', 'a statement is not about the entity below it');
}

/** The configuration of the entity below, if there is one, must name the superior. */
function requireNamed({ subject, links }: CandidateChain, index: number): void {
  const issuer = links[index - 1]?.statement.issuer;
  if (issuer === undefined) return;
  const below = index === 1 ? subject : links[index - 2]?.configuration;
  if (below !== undefined && !below.authorityHints.includes(issuer))
    throw new FederationFailure('not_a_superior', 'the entity below does not name the issuer as a superior');
}

/** The configurations of intermediates, if there are any, must not have expired either. */
function requireAllAlive(candidate: CandidateChain, index: number, now: EpochSeconds): void {
  const statement = statementsOf(candidate)[index];
  if (statement !== undefined) requireAlive(statement, now);
  const configuration = candidate.links[index - 1]?.configuration;
  if (configuration !== undefined) requireAlive(configuration, now);
}

function requireConstraints(candidate: CandidateChain, entities: readonly EntityId[], index: number): void {
  const constraints = candidate.links[index - 1]?.statement.constraints;
  if (constraints !== undefined) requireWithinConstraints(constraints, entities.slice(0, index));
}

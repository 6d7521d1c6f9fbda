import { commonKeys, type PublicJwkSet } from '@vestibule/crypto/public-keys';
import type { EpochSeconds } from '@vestibule/protocol';
import type { EntityId } from '../entity-id.js';
import { FederationFailure, isCapacityReason } from '../federation-failure.js';
import type { ParsedConfiguration, VerifiedConfiguration } from '../statements/entity-statement.js';
import { requireAlive, verifyConfiguration } from '../statements/verify-statement.js';
import type { TrustMarkIssuer, TrustMarkIssuers } from '../trust-marks/trust-mark-context.js';
import { withoutRequiredMarks } from './anchor-conditions.js';
import { boundedParallel } from './bounded-parallel.js';
import type { CandidateChain } from './candidate-chain.js';
import { abandonedPath, type PathReport } from './chain-report.js';
import type { DiscoveryLimits } from './discovery-ports.js';
import {
  type Evaluated,
  evaluatePath,
  missingMarks,
  type PathEvaluation,
  type TrustRules,
} from './evaluate-path.js';
import { fetchSuperior, type Step, type SuperiorFetchContext, stepsFrom, topOf } from './fetch-superior.js';
import { renewedChain } from './renewed-chain.js';
import type { StatementReader } from './statement-reader.js';
import type { TrustedChain } from './validate-chain.js';

/** Dependencies of resolving a chain. */
export interface ResolutionContext {
  readonly reader: StatementReader;
  readonly limits: Pick<DiscoveryLimits, 'maxHints' | 'maxPaths' | 'maxParallel'>;
  /** Whether to continue after a chain is found, so that every path is reported; for explanations. */
  readonly isExhaustive: boolean;
}

/** Result of a resolution: the chosen chain, or that none is trusted. */
export type Resolution = ResolutionReport &
  (
    | {
        readonly chosen: TrustedChain;
        /** Expiry of the chain and of the required trust marks. */
        readonly expiresAt: EpochSeconds;
      }
    | { readonly chosen: undefined; readonly expiresAt?: never }
  );

/** The paths and fetches of a resolution. */
interface ResolutionReport {
  readonly subject: EntityId;
  /** Every path that was tried. */
  readonly paths: readonly PathReport[];
  /** Number of fetched statements. */
  readonly fetches: number;
}

/**
 * Resolves a chain from an entity to a configured anchor, level by level, over all superiors that entities name.
 * Chooses the shortest trusted chain, then the one to the anchor that is configured first, then by the identifiers of
 * its entities, so that equal federations give equal chains. The fetches stay within the budget.
 * @see OpenID Federation 1.0 section 10.1
 */
export async function resolveTrust(
  subject: ParsedConfiguration,
  rules: TrustRules,
  context: ResolutionContext,
): Promise<Resolution> {
  const root: CandidateChain = { subject, links: [] };
  const early = missingMarks(root, rules);
  if (early !== undefined) return resolution(subject, undefined, [early], context);
  const paths: PathReport[] = [];
  const trusted: Evaluated[] = [];
  let frontier: readonly CandidateChain[] = [root];
  while (frontier.length > 0 && (trusted.length === 0 || context.isExhaustive)) {
    const { reached, abandoned } = await fetchSuperiorLevel(frontier, rules, context);
    paths.push(...abandoned);
    for (const path of reached.filter((one) => rules.anchors.has(topOf(one).subject))) {
      const { evaluated, report } = await evaluateByNewestKeys(path, rules, context);
      paths.push(report);
      if (evaluated !== undefined) trusted.push(evaluated);
    }
    frontier = reached.filter((path) => mayGoOn(path, rules));
  }
  return resolution(subject, choose(trusted, rules), paths, context);
}

/**
 * Validates a chain that came with a request, and resolves no other one.
 * @param context For the issuers of trust marks; without it only issuers within the chain are accepted.
 */
export async function evaluateGivenChain(
  candidate: CandidateChain,
  rules: TrustRules,
  context?: ResolutionContext,
): Promise<Resolution> {
  const early = missingMarks(candidate, rules);
  if (early !== undefined) return resolution(candidate.subject, undefined, [early], context);
  const { evaluated, report } = await evaluatePath(candidate, rules, issuersFor(rules, context));
  return resolution(candidate.subject, evaluated, [report], context);
}

function resolution(
  { subject }: ParsedConfiguration,
  evaluated: Evaluated | undefined,
  paths: readonly PathReport[],
  context: ResolutionContext | undefined,
): Resolution {
  const report = { subject, paths, fetches: context?.reader.fetches ?? 0 };
  return evaluated === undefined
    ? { ...report, chosen: undefined }
    : { ...report, chosen: evaluated.chain, expiresAt: evaluated.expiresAt };
}

/**
 * Validates a path, and again while a signature is refused and newer statements can replace cached ones, each of which
 * is fetched again once.
 */
async function evaluateByNewestKeys(
  path: CandidateChain,
  rules: TrustRules,
  context: ResolutionContext,
): Promise<PathEvaluation> {
  for (let chain = path; ; ) {
    const evaluation = await evaluatePath(chain, rules, issuersFor(rules, context));
    try {
      const renewed = await renewedChain(chain, evaluation.report, context.reader);
      if (renewed === undefined) return evaluation;
      chain = renewed;
    } catch (failure) {
      if (!(failure instanceof FederationFailure)) throw failure;
      const { reason, message: detail } = failure;
      return { evaluated: undefined, report: { ...evaluation.report, reason, detail } };
    }
  }
}

/** Takes one step up from every path. */
async function fetchSuperiorLevel(
  frontier: readonly CandidateChain[],
  rules: TrustRules,
  { reader, limits }: ResolutionContext,
): Promise<{ readonly reached: readonly CandidateChain[]; readonly abandoned: readonly PathReport[] }> {
  const fetchingSuperiors: SuperiorFetchContext = { reader, rules, maxHints: limits.maxHints };
  const from = frontier.map((path) => stepsFrom(path, fetchingSuperiors));
  const steps = anchorsFirst(
    from.flatMap((one) => one.steps),
    fetchingSuperiors,
  );
  const followed = steps.slice(0, limits.maxPaths);
  const fetchedSuperior = await boundedParallel(followed, limits.maxParallel, (step) =>
    fetchSuperior(step, fetchingSuperiors),
  );
  return {
    reached: fetchedSuperior.flatMap((result) => ('path' in result ? [result.path] : [])),
    abandoned: [
      ...from.flatMap((one) => one.abandoned),
      ...steps.slice(limits.maxPaths).map(leftAlone),
      ...fetchedSuperior.flatMap((result) => ('abandoned' in result ? [result.abandoned] : [])),
    ],
  };
}

/** Dead ends of one path must not use up the fetches of another one that is about to end at an anchor. */
function anchorsFirst(steps: readonly Step[], { rules: { anchors } }: SuperiorFetchContext): readonly Step[] {
  return [
    ...steps.filter(({ hint }) => anchors.has(hint)),
    ...steps.filter(({ hint }) => !anchors.has(hint)),
  ];
}

function leftAlone({ path, hint }: Step): PathReport {
  const failure = new FederationFailure('too_many_hints', 'there are more paths than are followed');
  return abandonedPath(path, hint, failure);
}

/** If several anchors are configured, another one may be beyond an anchor. */
function mayGoOn(path: CandidateChain, { anchors }: TrustRules): boolean {
  const top = topOf(path);
  return !anchors.has(top.subject) || (anchors.size > 1 && top.authorityHints.length > 0);
}

function issuersFor(rules: TrustRules, context: ResolutionContext | undefined) {
  return (chain: TrustedChain): TrustMarkIssuers => ({
    find: (issuer) => issuerUnder(chain, issuer, rules, context),
    fetchStatus: async (endpoint, mark, verify) => {
      if (context === undefined)
        throw new FederationFailure('unresolvable', 'no status endpoint can be called here');
      await context.reader.markStatus(endpoint, mark, verify);
    },
  });
}

/** An issuer of trust marks within this chain, or with another chain to the same anchor. */
async function issuerUnder(
  chain: TrustedChain,
  issuer: EntityId,
  rules: TrustRules,
  context: ResolutionContext | undefined,
): Promise<TrustMarkIssuer | undefined> {
  const within = chain.keys.get(issuer);
  if (within !== undefined)
    return {
      keys: within,
      configuration: async () =>
        chain.configurations.get(issuer) ?? fetchedConfiguration(issuer, within, rules, context),
    };
  if (context === undefined) return undefined;
  const { entityType: _any, ...others } = rules;
  const ofIssuer = { ...withoutRequiredMarks(others), requestedAnchor: chain.anchor };
  try {
    const configuration = await context.reader.configuration(issuer);
    const { chosen, paths } = await resolveTrust(configuration, ofIssuer, {
      ...context,
      isExhaustive: false,
    });
    const keys = chosen?.keys.get(issuer);
    if (chosen !== undefined && keys !== undefined)
      return { keys, configuration: async () => chosen.subject };
    const { reason, detail = '' } = paths.find((path) => isCapacityReason(path.reason)) ?? {};
    if (reason !== undefined) throw new FederationFailure(reason, detail);
    return undefined;
  } catch (failure) {
    if (failure instanceof FederationFailure && !isCapacityReason(failure.reason)) return undefined;
    throw failure;
  }
}

/** The configuration of an entity of a given chain, which the chain may not contain. */
async function fetchedConfiguration(
  entity: EntityId,
  keys: PublicJwkSet,
  { now }: TrustRules,
  context: ResolutionContext | undefined,
): Promise<VerifiedConfiguration> {
  if (context === undefined)
    throw new FederationFailure('unresolvable', 'no configuration can be fetched here');
  const configuration = await context.reader.configuration(entity);
  requireAlive(configuration, now);
  return verifyConfiguration(configuration, commonKeys(keys, configuration.jwks));
}

function choose(trusted: readonly Evaluated[], { anchors }: TrustRules): Evaluated | undefined {
  const rank = [...anchors.keys()];
  const [chosen] = trusted.toSorted(
    ({ chain: one }, { chain: other }) =>
      one.entities.length - other.entities.length ||
      rank.indexOf(one.anchor) - rank.indexOf(other.anchor) ||
      (one.entities.join(' ') < other.entities.join(' ') ? -1 : 1),
  );
  return chosen;
}

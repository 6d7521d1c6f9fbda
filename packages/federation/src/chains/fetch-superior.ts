import type { EntityId } from '../entity-id.js';
import { FederationFailure } from '../federation-failure.js';
import type { ParsedConfiguration } from '../statements/entity-statement.js';
import { longestPath, maxPathLengthTo } from './anchor-conditions.js';
import { type CandidateChain, entitiesOf } from './candidate-chain.js';
import { abandonedPath, type PathReport } from './chain-report.js';
import { requireNoneDenied } from './denied-entities.js';
import type { StatementReader } from './statement-reader.js';
import type { ChainRules } from './validate-chain.js';

/** Dependencies of fetching superiors. */
export interface SuperiorFetchContext {
  readonly reader: StatementReader;
  readonly rules: Pick<ChainRules, 'anchors' | 'maxPathLength' | 'byAnchor' | 'denied'>;
  readonly maxHints: number;
}

/** A possible step: one superior of the topmost entity of a path. */
export interface Step {
  readonly path: CandidateChain;
  readonly hint: EntityId;
}

/** The result of a step: a longer path, or the reason why there is none. */
export type FetchedSuperior = { readonly path: CandidateChain } | { readonly abandoned: PathReport };

/** The steps from the top of a path, anchors first, and whether superiors were left out because there are too many. */
export function stepsFrom(
  path: CandidateChain,
  { rules: { anchors }, maxHints }: SuperiorFetchContext,
): { readonly steps: readonly Step[]; readonly abandoned: readonly PathReport[] } {
  const hints = [...new Set(topOf(path).authorityHints)];
  if (hints.length === 0) {
    const failure = new FederationFailure(
      'unknown_anchor',
      'the path ends at an entity that is no configured anchor',
    );
    return { steps: [], abandoned: [abandonedPath(path, undefined, failure)] };
  }
  const known = hints.filter((hint) => anchors.has(hint));
  const ordered = [...known, ...hints.filter((hint) => !anchors.has(hint))];
  const tooMany = new FederationFailure('too_many_hints', 'there are more superiors than are looked at');
  return {
    steps: ordered.slice(0, maxHints).map((hint) => ({ path, hint })),
    abandoned: ordered.length > maxHints ? [abandonedPath(path, undefined, tooMany)] : [],
  };
}

/** Takes a step: fetches the configuration of the superior and its statement about the entity below. */
export async function fetchSuperior(
  { path, hint }: Step,
  context: SuperiorFetchContext,
): Promise<FetchedSuperior> {
  try {
    requirePossible(path, hint, context);
    const configuration = await context.reader.configuration(hint);
    const statement = await context.reader.subordinate(configuration, topOf(path).subject);
    return { path: { subject: path.subject, links: [...path.links, { statement, configuration }] } };
  } catch (failure) {
    if (failure instanceof FederationFailure) return { abandoned: abandonedPath(path, hint, failure) };
    throw failure;
  }
}

/** Checks before any fetch: a loop ends only this path, and a path must end at an anchor within the limit. */
function requirePossible(path: CandidateChain, hint: EntityId, { rules }: SuperiorFetchContext): void {
  if (entitiesOf(path).includes(hint)) throw new FederationFailure('loop', 'an entity is in the path twice');
  requireNoneDenied([hint], rules);
  const isEnd = rules.anchors.has(hint) && path.links.length <= maxPathLengthTo(hint, rules);
  if (!isEnd && path.links.length + 1 > longestPath(rules))
    throw new FederationFailure('path_too_long', 'there are more intermediates than permitted');
}

/** The configuration of the topmost entity of a path. */
export function topOf({ subject, links }: CandidateChain): ParsedConfiguration {
  return links.at(-1)?.configuration ?? subject;
}

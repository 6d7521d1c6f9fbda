import type { EntityId } from '../entity-id.js';
import type { RequiredTrustMarks } from '../trust-marks/required-trust-marks.js';

/** Conditions of one trust anchor; a missing member leaves the condition for all anchors in force. */
export interface AnchorConditions {
  /** Maximum number of intermediates between the subject and the anchor. */
  readonly maxPathLength?: number;
  readonly requiredMarks?: RequiredTrustMarks;
}

/** Conditions that differ by trust anchor. */
export type ConditionsByAnchor = ReadonlyMap<EntityId, AnchorConditions>;

/** Conditions for all anchors, and those that replace them for some. */
interface LengthConditions {
  readonly maxPathLength: number;
  readonly byAnchor?: ConditionsByAnchor;
}

interface MarkConditions {
  readonly requiredMarks: RequiredTrustMarks;
  readonly byAnchor?: ConditionsByAnchor;
}

/** Maximum number of intermediates on a path to an anchor. */
export function maxPathLengthTo(anchor: EntityId, { maxPathLength, byAnchor }: LengthConditions): number {
  return byAnchor?.get(anchor)?.maxPathLength ?? maxPathLength;
}

/** Maximum number of intermediates on a path whose anchor is not known yet. */
export function longestPath({ maxPathLength, byAnchor }: LengthConditions): number {
  const own = [...(byAnchor?.values() ?? [])].flatMap(({ maxPathLength: length }) => length ?? []);
  return Math.max(maxPathLength, ...own);
}

/** The trust marks that a registration under an anchor requires. */
export function requiredMarksUnder(
  anchor: EntityId,
  { requiredMarks, byAnchor }: MarkConditions,
): RequiredTrustMarks {
  return byAnchor?.get(anchor)?.requiredMarks ?? requiredMarks;
}

/** The same conditions without trust marks: for the issuers of trust marks, which require none themselves. */
export function withoutRequiredMarks<Conditions extends MarkConditions>(conditions: Conditions): Conditions {
  const { byAnchor } = conditions;
  if (byAnchor === undefined) return { ...conditions, requiredMarks: [] };
  const lengths = [...byAnchor].map(
    ([anchor, { requiredMarks: _none, ...others }]) => [anchor, others] as const,
  );
  return { ...conditions, requiredMarks: [], byAnchor: new Map(lengths) };
}

import type { EntityMetadata } from '@vestibule/metadata/policy';
import type { EpochSeconds } from '@vestibule/protocol';
import type { EntityId } from '../entity-id.js';
import { type FederationReason, isCapacityReason } from '../federation-failure.js';
import type { PathReport, StatementPlace } from './chain-report.js';
import type { Resolution } from './resolve-trust.js';

/** The reasons why an entity is trusted or not, as plain values that can be serialized as JSON. */
export type TrustExplanation = TrustedExplanation | UntrustedExplanation;

/** Explanation of a trusted entity. */
export interface TrustedExplanation extends TriedPaths {
  readonly trusted: true;
  /** The entities of the chosen chain, the subject first. */
  readonly chain: readonly EntityId[];
  readonly expiresAt: EpochSeconds;
  /** The resolved metadata. */
  readonly metadata: EntityMetadata;
}

/** Explanation of an untrusted entity. */
export interface UntrustedExplanation extends TriedPaths {
  readonly trusted: false;
  readonly reason: FederationReason;
  readonly detail: string;
}

interface TriedPaths {
  readonly subject: EntityId;
  readonly fetches: number;
  /** From the path that progressed furthest. */
  readonly paths: readonly PathReport[];
}

/** The reason why no path of a resolution is trusted, and the statement that caused it. */
export interface DecisiveFailure extends Pick<UntrustedExplanation, 'reason' | 'detail'> {
  readonly failedAt: StatementPlace | undefined;
}

/** Explains why an entity is trusted or not, by {@link decisiveFailure}. */
export function explainResolution(resolution: Resolution): TrustExplanation {
  const { subject, fetches } = resolution;
  const paths = furthestFirst(resolution.paths);
  if (resolution.chosen !== undefined) {
    const { entities: chain, metadata } = resolution.chosen;
    return { subject, trusted: true, chain, expiresAt: resolution.expiresAt, metadata, fetches, paths };
  }
  const { reason, detail } = decisiveFailure(paths);
  return { subject, trusted: false, reason, detail, fetches, paths };
}

/**
 * The reason why none of the paths is trusted: that of the path that progressed furthest. If a path was abandoned for
 * lack of capacity, that is the reason, since the other paths do not show that the entity is untrusted.
 */
export function decisiveFailure(paths: readonly PathReport[]): DecisiveFailure {
  const sorted = furthestFirst(paths);
  const decisive = sorted.find(({ reason }) => isCapacityReason(reason)) ?? sorted[0];
  return {
    reason: decisive?.reason ?? 'unknown_anchor',
    detail: decisive?.detail ?? 'there is no path to a configured anchor',
    failedAt: decisive?.failedAt,
  };
}

function furthestFirst(paths: readonly PathReport[]): readonly PathReport[] {
  return paths.toSorted((one, other) => progress(other) - progress(one));
}

/** Complete paths rank before abandoned ones, and longer ones before shorter ones. */
function progress({ trusted, metadata, trustMarks, statements }: PathReport): number {
  const passed = statements.flatMap(({ checks }) => checks).filter(({ passed: isPassed }) => isPassed).length;
  const evaluated = [trusted, trustMarks !== undefined, metadata !== undefined].filter(Boolean).length;
  return evaluated * 1_000 + passed * 10 + statements.length;
}

import type { EntityMetadata } from '@vestibule/metadata/policy';
import type { EpochSeconds } from '@vestibule/protocol';
import type { EntityId } from '../entity-id.js';
import { type FederationReason, isCapacityReason } from '../federation-failure.js';
import type { PathReport, StatementPlace } from './chain-report.js';
import type { Resolution } from './resolve-trust.js';

/** Why an entity is trusted or not: plain values that can be written as JSON. */
export type TrustExplanation = TrustedExplanation | UntrustedExplanation;

/** What makes an entity trusted. */
export interface TrustedExplanation extends TriedPaths {
  readonly trusted: true;
  /** The entities of the chain to go by, the subject first. */
  readonly chain: readonly EntityId[];
  readonly expiresAt: EpochSeconds;
  /** The metadata that came out. */
  readonly metadata: EntityMetadata;
}

/** Why an entity is not trusted. */
export interface UntrustedExplanation extends TriedPaths {
  readonly trusted: false;
  readonly reason: FederationReason;
  readonly detail: string;
}

interface TriedPaths {
  readonly subject: EntityId;
  readonly fetches: number;
  /** Those that came furthest first. */
  readonly paths: readonly PathReport[];
}

/** Why no path of a resolution is trusted, and which statement caused it. */
export interface DecisiveFailure extends Pick<UntrustedExplanation, 'reason' | 'detail'> {
  readonly failedAt: StatementPlace | undefined;
}

/** Tells why an entity is trusted or not, as {@link decisiveFailure} decides. */
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
 * Why none of the paths is trusted; of several reasons that of the path that came furthest. Where a path was left for
 * want of capacity, that is the reason: the other paths do not show that the entity cannot be trusted.
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

/** Paths that were judged come before those that were left, and longer ones before shorter ones. */
function progress({ trusted, metadata, trustMarks, statements }: PathReport): number {
  const passed = statements.flatMap(({ checks }) => checks).filter(({ passed: isPassed }) => isPassed).length;
  const judged = [trusted, trustMarks !== undefined, metadata !== undefined].filter(Boolean).length;
  return judged * 1_000 + passed * 10 + statements.length;
}

import type { EntityMetadata } from '@vestibule/metadata/policy';
import type { EpochSeconds } from '@vestibule/protocol';
import type { EntityId } from '../entity-id.js';
import { type FederationReason, isCapacityReason } from '../federation-failure.js';
import type { PathReport } from './chain-report.js';
import type { Resolution } from './resolve-trust.js';

/** Why an entity is trusted or not: plain values that can be written as JSON. */
export interface TrustExplanation {
  readonly subject: EntityId;
  readonly trusted: boolean;
  /** Absent when the entity is trusted. */
  readonly reason?: FederationReason;
  readonly detail?: string;
  /** The entities of the chain to go by, the subject first. */
  readonly chain?: readonly EntityId[];
  readonly expiresAt?: EpochSeconds;
  /** The metadata that came out. */
  readonly metadata?: EntityMetadata;
  readonly fetches: number;
  /** Those that came furthest first. */
  readonly paths: readonly PathReport[];
}

/**
 * Tells why an entity is trusted or not; of several reasons that of the path that came furthest. Where a path was left
 * for want of capacity, that is the reason: the other paths do not show that the entity cannot be trusted.
 */
export function explainResolution({
  subject,
  chosen,
  expiresAt,
  paths,
  fetches,
}: Resolution): TrustExplanation {
  const sorted = paths.toSorted((one, other) => progress(other) - progress(one));
  if (chosen !== undefined && expiresAt !== undefined) {
    const { entities: chain, metadata } = chosen;
    return { subject, trusted: true, chain, expiresAt, metadata, fetches, paths: sorted };
  }
  const decisive = decisivePath(sorted);
  const reason: FederationReason = decisive?.reason ?? 'unknown_anchor';
  const detail = decisive?.detail ?? 'there is no path to a configured anchor';
  return { subject, trusted: false, reason, detail, fetches, paths: sorted };
}

/** The path that tells why none is trusted. @param paths Those that came furthest first. */
export function decisivePath(paths: readonly PathReport[]): PathReport | undefined {
  return paths.find(({ reason }) => isCapacityReason(reason)) ?? paths[0];
}

/** Paths that were judged come before those that were left, and longer ones before shorter ones. */
function progress({ trusted, metadata, trustMarks, statements }: PathReport): number {
  const passed = statements.flatMap(({ checks }) => checks).filter(({ passed: isPassed }) => isPassed).length;
  const judged = [trusted, trustMarks !== undefined, metadata !== undefined].filter(Boolean).length;
  return judged * 1_000 + passed * 10 + statements.length;
}

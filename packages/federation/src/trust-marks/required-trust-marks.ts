import type { EpochSeconds } from '@vestibule/protocol';
import type { EntityId } from '../entity-id.js';
import { FederationFailure, type FederationReason } from '../federation-failure.js';
import type { EntityConfigurationContent, StatedTrustMark } from '../statements/entity-statement.js';
import type { TrustMarkContext } from './trust-mark-context.js';
import { type TrustMark, verifyTrustMark } from './verify-trust-mark.js';

/** The required marks: one of every group, by type. Without groups, none is required. */
export type RequiredTrustMarks = readonly (readonly string[])[];

/** The result for one trust mark, for an explanation. */
export interface TrustMarkReport {
  readonly type: string;
  readonly accepted: boolean;
  readonly issuer?: EntityId;
  readonly expiresAt?: EpochSeconds;
  readonly reason?: FederationReason;
  readonly detail?: string;
}

/** The accepted marks, and the result for each mark that was checked. */
export interface TrustMarkEvaluation {
  readonly accepted: readonly TrustMark[];
  readonly reports: readonly TrustMarkReport[];
  /** Whether one mark of every group is accepted. */
  readonly isEnough: boolean;
}

/** Whether an entity claims to have the required marks, which is checked before any fetch. */
export function claimsMarks(
  { trustMarks }: Pick<EntityConfigurationContent, 'trustMarks'>,
  required: RequiredTrustMarks,
): boolean {
  return covers(
    required,
    trustMarks.map(({ type }) => type),
  );
}

/** Checks the required marks, and no other ones. */
export async function evaluateTrustMarks(
  stated: readonly StatedTrustMark[],
  required: RequiredTrustMarks,
  context: TrustMarkContext,
): Promise<TrustMarkEvaluation> {
  const accepted: TrustMark[] = [];
  const reports: TrustMarkReport[] = [];
  for (const mark of stated.filter(({ type }) => required.flat().includes(type))) {
    try {
      const verified = await verifyTrustMark(mark, context);
      accepted.push(verified);
      reports.push(acceptedReport(verified));
    } catch (failure) {
      if (!(failure instanceof FederationFailure)) throw failure;
      reports.push({ type: mark.type, accepted: false, reason: failure.reason, detail: failure.message });
    }
  }
  return {
    accepted,
    reports,
    isEnough: covers(
      required,
      accepted.map(({ type }) => type),
    ),
  };
}

function covers(required: RequiredTrustMarks, types: readonly string[]): boolean {
  return required.every((group) => group.some((type) => types.includes(type)));
}

function acceptedReport({ type, issuer, expiresAt }: TrustMark): TrustMarkReport {
  return { type, accepted: true, issuer, ...(expiresAt === undefined ? {} : { expiresAt }) };
}

import type { EpochSeconds } from '@vestibule/protocol';
import type { FederationFailure } from '../federation-failure.js';
import { type CandidateChain, entitiesOf } from './candidate-chain.js';
import {
  describeStatement,
  type PathReport,
  type StatementCheck,
  type StatementPlace,
  statementsOf,
} from './chain-report.js';
import type { MetadataResolution } from './resolve-metadata.js';

/** Records the checks of a chain. */
export interface ChainTrace {
  /** Runs a check of the statement at an index and records whether it passed. Passes on what the check throws. */
  check<Result>(index: number, check: StatementCheck, step: () => Promise<Result>): Promise<Result>;
  metadata(resolution: MetadataResolution): void;
  expiresAt(expiresAt: EpochSeconds): void;
  /** The report so far. */
  report(failure?: FederationFailure): PathReport;
}

/** Starts to record the checks of a chain. */
export function traceOf(candidate: CandidateChain): ChainTrace {
  const statements = statementsOf(candidate).map((statement) => ({
    ...describeStatement(statement),
    checks: new Map<StatementCheck, boolean>(),
  }));
  let failedAt: StatementPlace | undefined;
  let resolution: MetadataResolution | undefined;
  let end: EpochSeconds | undefined;
  return {
    check: async (index, check, step) => {
      const statement = statements[index];
      try {
        const result = await step();
        statement?.checks.set(check, true);
        return result;
      } catch (failure) {
        statement?.checks.set(check, false);
        if (statement !== undefined) failedAt = { issuer: statement.issuer, subject: statement.subject };
        throw failure;
      }
    },
    metadata: (given) => {
      resolution = given;
      if (!given.ok) failedAt = given.failedAt;
    },
    expiresAt: (time) => {
      end = time;
    },
    report: (failure) => ({
      entities: entitiesOf(candidate),
      trusted: failure === undefined,
      ...(failure === undefined ? {} : { reason: failure.reason, detail: failure.message }),
      ...(failedAt === undefined ? {} : { failedAt }),
      statements: statements.map(({ checks, ...statement }) => ({
        ...statement,
        checks: [...checks].map(([check, passed]) => ({ check, passed })),
      })),
      ...(resolution === undefined ? {} : { metadata: resolution.report }),
      ...(end === undefined ? {} : { expiresAt: end }),
    }),
  };
}

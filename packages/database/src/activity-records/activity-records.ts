import type { EpochSeconds } from '@vestibule/protocol';
import { secondsOf } from '../column-values.js';
import type { ObtainPrisma } from '../lazy-prisma.js';
import type { RunStatement, Statement } from '../statement.js';

/** A span of time in equal steps. */
export interface ActivityWindow {
  /** Start of the first step. */
  readonly startsAt: EpochSeconds;
  readonly stepSeconds: number;
  readonly steps: number;
}

/** What happened in a window: one count for each step. */
export interface ActivityCounts {
  /** Clients that still exist, by the time of their registration. */
  readonly registered: readonly number[];
  /** Ended sessions with clients to notify, by the time of their first notification. */
  readonly endedSessions: readonly number[];
  /** Logout notifications that their clients accepted, by that time. */
  readonly delivered: readonly number[];
  /** Logout notifications that were given up, by that time. */
  readonly givenUp: readonly number[];
}

/** A count that ends at 1,000, so that it costs the same however many rows there are. */
export interface BoundedCount {
  /** At most 1,000. */
  readonly count: number;
  /** Whether there are more. */
  readonly hasMore: boolean;
}

/** What waits for a decision of an operator, or for a delivery. */
export interface WaitingWork {
  /** Clients that wait for approval. */
  readonly pendingClients: BoundedCount;
  /** Logout notifications that wait for a delivery attempt. */
  readonly waitingDeliveries: BoundedCount;
  /** Logout notifications that were given up. */
  readonly deadDeliveries: BoundedCount;
  /** Client ID metadata documents that their hosts have withdrawn. */
  readonly withdrawnDocuments: BoundedCount;
}

/** An initial access token that ends soon. */
export interface EndingToken {
  readonly label?: string;
  readonly expiresAt: EpochSeconds;
  readonly usesLeft: number;
}

/** Reads what happens in the store, for an overview. The cost of each read is bounded by its window or its limit. */
export interface ActivityRecords {
  /** Counts what happened in a window. */
  counts(window: ActivityWindow): Promise<ActivityCounts>;
  waiting(): Promise<WaitingWork>;
  /** Lists the initial access tokens with uses left that expire in a span of time, the next one first. */
  endingTokens(
    span: { readonly from: EpochSeconds; readonly to: EpochSeconds },
    limit: number,
  ): Promise<readonly EndingToken[]>;
}

const MOST = 1_000;

// Ordered by an index, which the planner might not use otherwise.
const bounded = (rows: string) =>
  `(SELECT count(*)::int FROM (SELECT FROM ${rows} LIMIT ${MOST + 1}) AS found)`;

/** Whether a time is in the window of `$1` (start), `$2` (seconds of a step) and `$3` (steps). */
const inWindow = (column: string) =>
  `${column} >= to_timestamp($1) AND ${column} < to_timestamp($1::float8 + $2::float8 * $3::float8)`;

/** `date_part` returns a float8; `extract` returns a numeric, whose arithmetic takes twice as long for all rows. */
const stepOf = (column: string) =>
  `floor((date_part('epoch', ${column}) - $1::float8) / $2::float8)::int AS step`;

/**
 * The statements of the overview. By hand, because Prisma Client can neither group by parts of a time nor stop a count,
 * and because an open overview runs them at intervals.
 */
export const ACTIVITY_STATEMENTS = {
  registered: {
    name: 'activity-registered',
    text: `SELECT ${stepOf('issued_at')}, count(*)::int AS count FROM client WHERE ${inWindow('issued_at')} GROUP BY 1`,
    repeatable: true,
  },
  // A notification was created before it was finished, so one that was created in the window waits or was finished in it.
  endedSessions: {
    name: 'activity-ended-sessions',
    text: `SELECT ${stepOf('ended_at')}, count(*)::int AS count FROM (
        SELECT min(created_at) AS ended_at FROM logout_delivery
        WHERE (state = 'pending' AND ${inWindow('created_at')})
          OR (state <> 'pending' AND ${inWindow('finished_at')} AND ${inWindow('created_at')})
        GROUP BY coalesce(session_id, sid, id::text)) AS session GROUP BY 1`,
    repeatable: true,
  },
  finishedDeliveries: {
    name: 'activity-finished-deliveries',
    // The name of a state is looked up for each group rather than for each row.
    text: `SELECT step, state::text AS state, count FROM (
        SELECT ${stepOf('finished_at')}, state, count(*)::int AS count FROM logout_delivery
        WHERE state <> 'pending' AND ${inWindow('finished_at')} GROUP BY 1, 2) AS groups`,
    repeatable: true,
  },
  waiting: {
    name: 'activity-waiting',
    text: `SELECT ${bounded(`client WHERE status = 'pending' ORDER BY issued_at, id`)} AS "pendingClients",
      ${bounded(`logout_delivery WHERE state = 'pending' ORDER BY id`)} AS "waitingDeliveries",
      ${bounded(`logout_delivery WHERE state = 'dead' ORDER BY id`)} AS "deadDeliveries",
      ${bounded('client_metadata_document WHERE withdrawn_at IS NOT NULL ORDER BY withdrawn_at')} AS "withdrawnDocuments"`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

interface StepRow {
  readonly step: number;
  readonly count: number;
}

interface FinishedRow extends StepRow {
  readonly state: string;
}

/** Creates the reader of activity in Postgres. */
export function activityRecords(run: RunStatement, obtainPrisma: ObtainPrisma): ActivityRecords {
  const { registered, endedSessions, finishedDeliveries, waiting } = ACTIVITY_STATEMENTS;
  return {
    counts: async ({ startsAt, stepSeconds, steps }) => {
      const values = [startsAt, stepSeconds, steps];
      const [clients, sessions, { rows: finished }] = await Promise.all([
        run<StepRow>(registered, values),
        run<StepRow>(endedSessions, values),
        run<FinishedRow>(finishedDeliveries, values),
      ]);
      return {
        registered: stepCounts(clients.rows, steps),
        endedSessions: stepCounts(sessions.rows, steps),
        delivered: stepCounts(
          finished.filter(({ state }) => state === 'delivered'),
          steps,
        ),
        givenUp: stepCounts(
          finished.filter(({ state }) => state === 'dead'),
          steps,
        ),
      };
    },
    waiting: async () => {
      const [row] = (await run<Record<keyof WaitingWork, number>>(waiting, [])).rows;
      return {
        pendingClients: boundedCount(row?.pendingClients),
        waitingDeliveries: boundedCount(row?.waitingDeliveries),
        deadDeliveries: boundedCount(row?.deadDeliveries),
        withdrawnDocuments: boundedCount(row?.withdrawnDocuments),
      };
    },
    endingTokens: async ({ from, to }, limit) => {
      const { initialAccessToken } = await obtainPrisma();
      const tokens = await initialAccessToken.findMany({
        where: { expiresAt: { gt: new Date(from * 1000), lte: new Date(to * 1000) }, usesLeft: { gt: 0 } },
        orderBy: { expiresAt: 'asc' },
        take: limit,
        select: { label: true, expiresAt: true, usesLeft: true },
      });
      return tokens.map(({ label, expiresAt, usesLeft }) => ({
        ...(label !== null && { label }),
        expiresAt: secondsOf(expiresAt),
        usesLeft,
      }));
    },
  };
}

function stepCounts(rows: readonly StepRow[], steps: number): readonly number[] {
  const counts = new Map(rows.map(({ step, count }) => [step, count]));
  return Array.from({ length: steps }, (_, step) => counts.get(step) ?? 0);
}

function boundedCount(count = 0): BoundedCount {
  return { count: Math.min(count, MOST), hasMore: count > MOST };
}

import type { EpochSeconds } from '@vestibule/protocol';
import type { JsonValue } from '@vestibule/protocol/json';
import type { RunStatement, Statement } from '../statement.js';
import { type AgreedSettings, type ProcessSettings, parseAgreedSettings } from './agreed-settings.js';

/** A process that runs now. */
export interface RunningProcess extends ProcessSettings {
  /** Unique among all processes. */
  readonly id: string;
}

/** The processes that run over one database. */
export interface RunningProcesses {
  /** Records that a process is running, and returns the others. */
  announce(process: RunningProcess, now: EpochSeconds): Promise<readonly ProcessSettings[]>;
  /** Lists all that are running. */
  list(now: EpochSeconds): Promise<readonly ProcessSettings[]>;
  /** Records that it has stopped. */
  withdraw(id: string): Promise<void>;
}

/** A process that did not announce itself for this time has been killed, in seconds. */
const LOST_SECONDS = 60;

/**
 * The statements for running processes. By hand, because every service runs them at intervals, and one atomic statement
 * announces a process, forgets lost ones and reads the others.
 */
export const RUNNING_PROCESS_STATEMENTS = {
  announce: {
    name: 'running-process-announce',
    text: `WITH lost AS (
        DELETE FROM running_process WHERE id <> $1 AND seen_at < to_timestamp($4 - ${LOST_SECONDS})
      ), announced AS (
        INSERT INTO running_process (id, program, settings, seen_at) VALUES ($1, $2, $3, to_timestamp($4))
        ON CONFLICT (id) DO UPDATE SET settings = EXCLUDED.settings, seen_at = EXCLUDED.seen_at
      )
      SELECT DISTINCT program, settings FROM running_process
      WHERE id <> $1 AND seen_at >= to_timestamp($4 - ${LOST_SECONDS})`,
    repeatable: true,
  },
  list: {
    name: 'running-process-list',
    text: `SELECT DISTINCT program, settings FROM running_process
      WHERE seen_at >= to_timestamp($1 - ${LOST_SECONDS}) ORDER BY program, settings`,
    repeatable: true,
  },
  withdraw: {
    name: 'running-process-withdraw',
    text: 'DELETE FROM running_process WHERE id = $1',
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

interface ProcessRow {
  readonly program: string;
  readonly settings: JsonValue;
}

/** Creates the store of running processes in Postgres. */
export function runningProcesses(run: RunStatement): RunningProcesses {
  const { announce, list, withdraw } = RUNNING_PROCESS_STATEMENTS;
  return {
    announce: async ({ id, program, settings }, now) => {
      const { rows } = await run<ProcessRow>(announce, [id, program, settings, now]);
      return rows.flatMap(processOf);
    },
    list: async (now) => (await run<ProcessRow>(list, [now])).rows.flatMap(processOf),
    withdraw: async (id) => {
      await run(withdraw, [id]);
    },
  };
}

/** None for what another version of the software has stored. */
function processOf({ program, settings }: ProcessRow): readonly ProcessSettings[] {
  const read: AgreedSettings | undefined = parseAgreedSettings(settings);
  return read === undefined ? [] : [{ program, settings: read }];
}

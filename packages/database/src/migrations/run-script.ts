import { setTimeout as pause } from 'node:timers/promises';
import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { splitStatements } from './split-statements.js';

/** Sends SQL over the connection of the migration. */
export type SendScript = (script: string) => Promise<unknown>;

/** Lock timeouts and retries of a migration. */
export interface LockPatience {
  /** How long it may wait for a lock (all other sessions queue behind it), in milliseconds. */
  readonly lockTimeoutMs: number;
  /** How long it retries, in milliseconds. */
  readonly patienceMs: number;
  /** Pause between two attempts, in milliseconds; a random part of it is added. */
  readonly pauseMs: number;
}

/** Options of running a script. */
export interface ScriptOptions {
  readonly patience?: LockPatience;
  /** Called when the database rejects the script. */
  readonly onRefused?: () => void;
}

/** Services wait for a migration less than a fifth of a second at a time. */
export const LOCK_PATIENCE: LockPatience = { lockTimeoutMs: 150, patienceMs: 120_000, pauseMs: 250 };

const LOCK_NOT_AVAILABLE = '55P03';
const CONCURRENT_INDEX =
  /^(?:CREATE (?:UNIQUE )?INDEX|DROP INDEX) CONCURRENTLY (?:IF (?:NOT )?EXISTS )?"?(\w+)"?/i;

/**
 * Runs the statements of a migration as one script that takes effect as a whole or not at all. All later sessions queue
 * behind a session that waits for a lock, so the script waits only briefly and retries. Creating or dropping an index
 * CONCURRENTLY is a script of its own that blocks no other session and may wait longer; an index whose creation failed
 * is dropped.
 */
export async function runScript(
  send: SendScript,
  script: string,
  { patience = LOCK_PATIENCE, onRefused }: ScriptOptions = {},
): Promise<void> {
  try {
    const [statement = '', ...others] = splitStatements(script);
    const index = others.length === 0 ? CONCURRENT_INDEX.exec(statement)?.[1] : undefined;
    await (index === undefined ? runAtOnce(send, script, patience) : runConcurrently(send, script, index));
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    onRefused?.();
    const { code = '', severity = '', message, detail, column, hint } = error;
    throw new DriverAdapterError({ kind: 'postgres', code, severity, message, detail, column, hint });
  }
}

async function runAtOnce(
  send: SendScript,
  script: string,
  { lockTimeoutMs, patienceMs, pauseMs }: LockPatience,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  await send(`SET lock_timeout = ${lockTimeoutMs}`);
  for (;;) {
    try {
      await send(script);
      return;
    } catch (error) {
      const mayCome = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (!mayCome || performance.now() > deadline) throw error;
    }
    await pause(pauseMs * (1 + Math.random()));
  }
}

async function runConcurrently(send: SendScript, script: string, index: string): Promise<void> {
  await send('SET lock_timeout = 0');
  try {
    await send(script);
  } catch (error) {
    await send(`DROP INDEX CONCURRENTLY IF EXISTS "${index}"`);
    throw error;
  }
}

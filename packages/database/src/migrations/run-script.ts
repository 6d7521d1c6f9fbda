import { setTimeout as pause } from 'node:timers/promises';
import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { splitStatements } from './split-statements.js';

/** Sends SQL over the one connection that migrates. */
export type SendScript = (script: string) => Promise<unknown>;

/** How patient a migration is with those who use what it changes. */
export interface LockPatience {
  /** How long it may wait for a lock, and everybody else behind it, in milliseconds. */
  readonly lockTimeoutMs: number;
  /** How long it goes on trying, in milliseconds. */
  readonly patienceMs: number;
  /** Between two tries, in milliseconds; a random part of it comes on top. */
  readonly pauseMs: number;
}

/** How a script is run. */
export interface ScriptOptions {
  readonly patience?: LockPatience;
  /** Called when the database refuses it. */
  readonly onRefused?: () => void;
}

/** Services wait for a migration for less than a fifth of a second at a time. */
export const LOCK_PATIENCE: LockPatience = { lockTimeoutMs: 150, patienceMs: 120_000, pauseMs: 250 };

const LOCK_NOT_AVAILABLE = '55P03';
const CONCURRENT_INDEX =
  /^(?:CREATE (?:UNIQUE )?INDEX|DROP INDEX) CONCURRENTLY (?:IF (?:NOT )?EXISTS )?"?(\w+)"?/i;

/**
 * Runs the statements of a migration as one script, of which either all or nothing takes effect. Whoever waits for a
 * lock keeps everybody waiting who comes later, so it waits for a moment only, and tries again. An index that is made
 * or dropped CONCURRENTLY is a script of its own, keeps nobody waiting and may wait itself; what is left of one that
 * could not be made is dropped.
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

import { setTimeout as pause } from 'node:timers/promises';
import { issueIsolatedToken } from './isolated-token.js';
import type { Work } from './work.js';

const RETRY_MS = 100;
/** Longer than any trial, including the time to issue its tokens. */
const LIFETIME_SECONDS = 1_800;
const SHORT_LIFETIME_EVERY = 8;
const JWT_EVERY = 3;

/** Issues tokens up to the wanted number of live tokens, and replaces each one that ended. */
export async function issueTokens(work: Work): Promise<void> {
  const { pool, pace, isOver } = work;
  for (let turn = 1; !isOver(); ) {
    if (pool.live >= pace.tokens) await pause(pace.revokeMs);
    else {
      await issueOne(work, turn).catch(() => pause(RETRY_MS));
      turn += 1;
    }
  }
}

async function issueOne({ cluster, history, pool }: Work, turn: number): Promise<void> {
  // Some expire while they are introspected; the others are revoked.
  const lifetime = turn % SHORT_LIFETIME_EVERY === 0 ? 3 + (turn % 5) : LIFETIME_SECONDS;
  const format = turn % JWT_EVERY === 0 ? 'jwt' : 'identifier';
  const token = await issueIsolatedToken(cluster.installation, format, lifetime);
  history.issued(token);
  // Introspected immediately, on alternating instances.
  await history.introspect(cluster.instances[turn % 2] ?? cluster.instances[0], token);
  pool.add(token);
}

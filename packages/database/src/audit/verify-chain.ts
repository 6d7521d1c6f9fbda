import type { RunStatement, Statement } from '../statement.js';
import type { ChainHead } from './chain-events.js';
import { CHAINED_COLUMNS, type ChainedEvent, chainHash, GENESIS } from './chained-event.js';

/** The part of the chain to verify; all of it by default. */
export interface ChainRange {
  /** First position, starting at 1. Earlier events are not verified. */
  readonly from?: bigint;
  /** Last position. */
  readonly to?: bigint;
  /** An end that was stored earlier. The chain must still contain it. */
  readonly head?: ChainHead | undefined;
  /** Called now and then with the number of verified events. */
  readonly onProgress?: (count: number) => void;
}

/** The result of verifying the chain. */
export type AuditChainVerdict =
  | {
      readonly intact: true;
      readonly count: number;
      /** The last verified event; absent when there was none. */
      readonly head?: ChainHead;
    }
  | {
      readonly intact: false;
      /** The first invalid position: its event was changed, is missing, or was moved. */
      readonly position: bigint;
      readonly reason: 'missing' | 'changed';
    };

interface LinkRow extends ChainedEvent {
  readonly position: string;
  readonly hash: Uint8Array | null;
}

const PAGE_SIZE = 1_000;

/** The statement that reads the chain. By hand, because the hashes cover the text form of columns by PostgreSQL. */
export const CHAIN_PAGE: Statement = {
  name: 'audit-chain-page',
  text: `SELECT ${CHAINED_COLUMNS}, position::text AS position, hash FROM audit_event
    WHERE position >= $1 AND ($2::bigint IS NULL OR position <= $2) ORDER BY audit_event.position LIMIT ${PAGE_SIZE}`,
  repeatable: true,
};

/**
 * Verifies the chain of audit events in constant memory: every position exists, and every hash follows from the event
 * and the previous hash. Events that were removed from the end are detected only by comparison with a `head` that was
 * stored elsewhere.
 */
export async function verifyChain(run: RunStatement, range: ChainRange = {}): Promise<AuditChainVerdict> {
  const { from = 1n, to, head: noted, onProgress } = range;
  let previous = await hashBefore(run, from);
  if (previous === undefined) return broken(from - 1n, 'missing');
  let position = from;
  for await (const link of links(run, from, to)) {
    if (link.position !== position.toString()) return broken(position, 'missing');
    previous = chainHash(previous, position, link);
    const expected = noted?.position === position ? Buffer.from(noted.hash, 'hex') : previous;
    if (!isSame(link.hash, previous) || !isSame(expected, previous)) return broken(position, 'changed');
    position += 1n;
    if (position % BigInt(PAGE_SIZE) === 0n) onProgress?.(Number(position - from));
  }
  const lastExpected = to ?? noted?.position ?? 0n;
  if (position <= lastExpected) return broken(position, 'missing');
  const count = Number(position - from);
  if (count === 0) return { intact: true, count };
  return {
    intact: true,
    count,
    head: { position: position - 1n, hash: Buffer.from(previous).toString('hex') },
  };
}

function broken(position: bigint, reason: 'missing' | 'changed'): AuditChainVerdict {
  return { intact: false, position, reason };
}

function isSame(one: Uint8Array | null, other: Uint8Array): boolean {
  return one !== null && Buffer.from(other).equals(one);
}

async function* links(run: RunStatement, from: bigint, to: bigint | undefined): AsyncGenerator<LinkRow> {
  let start = from;
  for (;;) {
    const { rows } = await run<LinkRow>(CHAIN_PAGE, [start.toString(), to?.toString()]);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_SIZE) return;
    start = BigInt(last.position) + 1n;
  }
}

async function hashBefore(run: RunStatement, from: bigint): Promise<Uint8Array | undefined> {
  if (from <= 1n) return GENESIS;
  const before = (from - 1n).toString();
  const { rows } = await run<LinkRow>(CHAIN_PAGE, [before, before]);
  return rows[0]?.hash ?? undefined;
}

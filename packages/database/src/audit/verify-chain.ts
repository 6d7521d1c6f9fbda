import type { RunStatement, Statement } from '../statement.js';
import type { ChainHead } from './chain-events.js';
import { CHAINED_COLUMNS, type ChainedEvent, chainHash, GENESIS } from './chained-event.js';

/** Which part of the chain is verified; all of it by default. */
export interface ChainRange {
  /** The first position, from 1 on. What lies before it is taken as it is. */
  readonly from?: bigint;
  /** The last position. */
  readonly to?: bigint;
  /** An end that was noted earlier: the chain must still have it. */
  readonly head?: ChainHead | undefined;
  /** Told now and then how many events are verified. */
  readonly onProgress?: (count: number) => void;
}

/** Whether the chain is as it was made. */
export type ChainVerdict =
  | {
      readonly intact: true;
      readonly count: number;
      /** The last event that was verified; absent when there was none. */
      readonly head?: ChainHead;
    }
  | {
      readonly intact: false;
      /** The first position where it is not: an event is changed, missing, or in another's place. */
      readonly position: bigint;
      readonly reason: 'missing' | 'changed';
    };

interface LinkRow extends ChainedEvent {
  readonly position: string;
  readonly hash: Uint8Array | null;
}

const PAGE_SIZE = 1_000;

/** The statement that reads the chain. */
export const CHAIN_PAGE: Statement = {
  name: 'audit-chain-page',
  text: `SELECT ${CHAINED_COLUMNS}, position::text AS position, hash FROM audit_event
    WHERE position >= $1 AND ($2::bigint IS NULL OR position <= $2) ORDER BY audit_event.position LIMIT ${PAGE_SIZE}`,
  repeatable: true,
};

/**
 * Verifies the chain of audit events, in constant memory: every position is there, and every hash follows from the
 * event and the hash before it. That nothing was cut off at the end shows in comparison with a `head` that was noted
 * elsewhere, and in no other way.
 */
export async function verifyChain(run: RunStatement, range: ChainRange = {}): Promise<ChainVerdict> {
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

function broken(position: bigint, reason: 'missing' | 'changed'): ChainVerdict {
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

import type { RunStatement, Statement } from '../statement.js';
import type { ChainHead } from './chain-events.js';

/** The statement that reads the end of the chain. By hand, because Prisma Client is not loaded for it. */
export const CHAIN_HEAD: Statement = {
  name: 'audit-chain-head',
  // Qualified, because a plain name would refer to the text column of the result and sort as text.
  text: `SELECT position::text AS position, encode(hash, 'hex') AS hash FROM audit_event
    WHERE position IS NOT NULL ORDER BY audit_event.position DESC LIMIT 1`,
  repeatable: true,
};

/** Reads the end of the chain; `undefined` if no event is chained. */
export async function readChainHead(run: RunStatement): Promise<ChainHead | undefined> {
  const [row] = (await run<{ position: string; hash: string | null }>(CHAIN_HEAD, [])).rows;
  return row && { position: BigInt(row.position), hash: row.hash ?? '' };
}

const HEAD = /^([1-9]\d{0,17}):([0-9a-f]{64})$/;

/** Parses a recorded end of the chain: its position, a colon, and its hash in hexadecimal; `undefined` if it is none. */
export function parseChainHead(text: string): ChainHead | undefined {
  const [, position, hash] = HEAD.exec(text) ?? [];
  return position === undefined || hash === undefined ? undefined : { position: BigInt(position), hash };
}

/** Writes an end of the chain as {@link parseChainHead} reads it. */
export function chainHeadText({ position, hash }: ChainHead): string {
  return `${position}:${hash}`;
}

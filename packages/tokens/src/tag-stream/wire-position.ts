import { hash } from 'node:crypto';

/** A position in the stream of changes, comparable within its epoch. */
export interface WirePosition {
  /** Identifies a history of the database together with the keys of the tags. */
  readonly epoch: string;
  /** Every change with a lower number has been sent. */
  readonly number: bigint;
}

/** Characters of an epoch. */
const EPOCH_LENGTH = 16;
const POSITION = /^([\w-]{16})\.(0|[1-9]\d{0,18})$/;

/** Builds the epoch of a history of the database under a set of keys. */
export function wireEpoch(history: string, keys: string): string {
  return hash('sha256', `${history} ${keys}`, 'base64url').slice(0, EPOCH_LENGTH);
}

/** Writes a position as it occurs in headers and event identifiers. */
export function positionText({ epoch, number }: WirePosition): string {
  return `${epoch}.${number}`;
}

/** Reads a position; `undefined` if the text is none. */
export function parsePosition(text: string): WirePosition | undefined {
  const [, epoch, digits] = POSITION.exec(text) ?? [];
  return epoch === undefined || digits === undefined ? undefined : { epoch, number: BigInt(digits) };
}

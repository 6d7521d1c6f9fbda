/** A position in the stream of changes: a number that grows, within an epoch. */
export interface StreamPosition {
  readonly epoch: string;
  readonly number: bigint;
}

/** `<epoch>.<number>`: base64url, and up to 64 bits in decimal. */
const POSITION = /^([A-Za-z0-9_-]{1,64})\.(0|[1-9]\d{0,19})$/;

const NUMBER = /^(0|[1-9]\d{0,19})$/;

const MAX_NUMBER = 2n ** 64n - 1n;

/** The position that was parsed last. Many responses in a row have the same one, and share the object. */
let last: { readonly text: string; readonly position: StreamPosition } | undefined;

/** Parses a position; `undefined` unless it is one. */
export function parseStreamPosition(text: string): StreamPosition | undefined {
  if (text === last?.text) return last.position;
  const [, epoch, digits] = POSITION.exec(text) ?? [];
  const number = digits === undefined ? undefined : parsePositionNumber(digits);
  if (epoch === undefined || number === undefined) return undefined;
  last = { text, position: Object.freeze({ epoch, number }) };
  return last.position;
}

/** Parses the number of a position; `undefined` unless it is one. */
export function parsePositionNumber(text: string): bigint | undefined {
  if (!NUMBER.test(text)) return undefined;
  const number = BigInt(text);
  return number <= MAX_NUMBER ? number : undefined;
}

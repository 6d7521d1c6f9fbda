/** A position in the stream of changes: a number that grows, within an epoch. */
export interface StreamPosition {
  readonly epoch: string;
  readonly number: bigint;
}

/** `<epoch>.<number>`: base64url, and up to 64 bits in decimal. */
const POSITION = /^([A-Za-z0-9_-]{1,64})\.(0|[1-9]\d{0,19})$/;

const NUMBER = /^(0|[1-9]\d{0,19})$/;

const MAX_NUMBER = 2n ** 64n - 1n;

/** Parses a position; `undefined` unless it is one. */
export function parseStreamPosition(text: string): StreamPosition | undefined {
  const [, epoch, digits] = POSITION.exec(text) ?? [];
  const number = digits === undefined ? undefined : parsePositionNumber(digits);
  return epoch === undefined || number === undefined ? undefined : { epoch, number };
}

/** Parses the number of a position; `undefined` unless it is one. */
export function parsePositionNumber(text: string): bigint | undefined {
  if (!NUMBER.test(text)) return undefined;
  const number = BigInt(text);
  return number <= MAX_NUMBER ? number : undefined;
}

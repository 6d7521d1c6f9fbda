import { isJsonObject, type JsonValue } from '@vestibule/protocol';

// What most texts are, and quickly told: none of it is unstorable or deceptive.
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

// NUL and halves of surrogate pairs: JSON allows them, stores and UTF-8 do not.
const UNSTORABLE = /[\0\p{Surrogate}]/u;

// Controls, line and paragraph separators, and characters that reorder or hide text (Unicode UTR 36 section 2.5).
const DECEPTIVE = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Surrogate}|\u034f|[\u115f\u1160\u3164\uffa0]/u;

/**
 * Whether every store and every UTF-8 channel can carry a value unchanged: no NUL, no half of a surrogate pair, only
 * finite numbers, and no more than `maxDepth` levels of objects and arrays (a scalar has none).
 */
export function isStorableJson(value: JsonValue, maxDepth: number): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (maxDepth < 1) return false;
  if (!isJsonObject(value)) return value.every((item) => isStorableJson(item, maxDepth - 1));
  return Object.entries(value).every(
    ([name, item]) => isStorableText(name) && isStorableJson(item, maxDepth - 1),
  );
}

/**
 * How many bytes of JSON a value is, and at most becomes in a store: those write numbers out, so that `1e300` has 301
 * digits each time that it is read.
 */
export function storedJsonBytes(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value)) + impliedDigits(value);
}

/** Whether a text shows what it holds: no control, format, bidirectional override or zero-width characters. */
export function isPlainText(text: string): boolean {
  return PRINTABLE_ASCII.test(text) || !DECEPTIVE.test(text);
}

function isStorableText(text: string): boolean {
  return PRINTABLE_ASCII.test(text) || !UNSTORABLE.test(text);
}

/** The digits that exponents stand for. */
function impliedDigits(value: JsonValue): number {
  if (typeof value === 'number') return Number(/e[+-](\d+)$/.exec(String(value))?.[1] ?? 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, item) => sum + impliedDigits(item), 0);
}

import { isJsonObject, isSafeText, type JsonValue } from '@vestibule/protocol/json';

/**
 * Whether every store and UTF-8 channel can carry a value unchanged: no control characters except tabs and line breaks,
 * no lone surrogates, only numbers that all parsers read alike, and at most `maxDepth` levels of objects and arrays (a
 * scalar has none).
 */
export function isStorableJson(value: JsonValue, maxDepth: number): boolean {
  if (typeof value === 'string') return isSafeText(value);
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (typeof value !== 'object' || value === null) return true;
  if (maxDepth < 1) return false;
  if (!isJsonObject(value)) return value.every((item) => isStorableJson(item, maxDepth - 1));
  return Object.entries(value).every(
    ([name, item]) => isSafeText(name) && isStorableJson(item, maxDepth - 1),
  );
}

/** Size of a value in bytes of JSON, as stores may return it: they write numbers out, so `1e300` has 301 digits. */
export function storedJsonBytes(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value)) + impliedDigits(value);
}

/** Number of digits that exponents stand for. */
function impliedDigits(value: JsonValue): number {
  if (typeof value === 'number') return Number(/e[+-](\d+)$/.exec(String(value))?.[1] ?? 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, item) => sum + impliedDigits(item), 0);
}

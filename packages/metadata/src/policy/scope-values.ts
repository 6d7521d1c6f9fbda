import type { JsonValue } from '@vestibule/protocol/json';

/** Whether a parameter is a string of space-separated words (RFC 7591 section 2). */
export function isScope(parameter: string): boolean {
  return parameter === 'scope';
}

/** Returns the distinct words of a scope, given as a string or a list of strings; `undefined` if it is neither. */
export function scopeWords(value: JsonValue): readonly string[] | undefined {
  const texts = Array.isArray(value) ? value : [value];
  const given = texts.filter((text) => typeof text === 'string');
  if (given.length !== texts.length) return undefined;
  const words = given.flatMap((text) => text.split(' ')).filter((word) => word !== '');
  return [...new Set(words)];
}

/** Normalizes a scope, whatever the order of its words. */
export function canonicalScope(words: readonly JsonValue[]): string {
  return words.map(String).toSorted().join(' ');
}

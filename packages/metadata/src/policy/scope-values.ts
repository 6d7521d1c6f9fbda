import type { JsonValue } from '@vestibule/protocol';

/** Whether a parameter is the one whose value is a list of words in one text (RFC 7591 section 2). */
export function isScope(parameter: string): boolean {
  return parameter === 'scope';
}

/** The distinct words of a scope, written as a text or as a list of texts; `undefined` when it is neither. */
export function scopeWords(value: JsonValue): readonly string[] | undefined {
  const texts = Array.isArray(value) ? value : [value];
  const given = texts.filter((text) => typeof text === 'string');
  if (given.length !== texts.length) return undefined;
  const words = given.flatMap((text) => text.split(' ')).filter((word) => word !== '');
  return [...new Set(words)];
}

/** The one spelling of a scope, whatever the order of its words. */
export function canonicalScope(words: readonly JsonValue[]): string {
  return words.map(String).toSorted().join(' ');
}

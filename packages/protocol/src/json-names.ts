import type { JsonValue } from './json.js';

/**
 * Whether the members of a value are named as its text says. V8 13.6 (Node 24) takes a name that begins like one with a
 * backslash which it met before, and is written with an escape, for that one: `"\u0061"` becomes a backslash. What goes
 * wrong always has a backslash in its name, so that it is enough to count those.
 *
 * @param text valid JSON of which every member was built
 */
export function hasTrueNames(text: string, value: JsonValue): boolean {
  return !text.includes('\\') || backslashesWritten(text) === backslashesBuilt(value);
}

/** Where the text that opens at `start` closes; the end of everything when it does not. */
export function endOfText(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}

const ESCAPED_BACKSLASH = /\\\\|\\u005c/i;

function backslashesWritten(text: string): number {
  let names = 0;
  let literal = '';
  for (let index = 0; index < text.length; index += 1) {
    const mark = text[index];
    if (mark === ':' && ESCAPED_BACKSLASH.test(literal)) names += 1;
    if (mark !== '"') continue;
    const end = endOfText(text, index);
    literal = text.slice(index, end);
    index = end;
  }
  return names;
}

function backslashesBuilt(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + Number(name.includes('\\')) + backslashesBuilt(member),
    0,
  );
}

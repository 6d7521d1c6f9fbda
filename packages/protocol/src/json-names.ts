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
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Whether an odd number of backslashes is in front of a character. */
function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text[index - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
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

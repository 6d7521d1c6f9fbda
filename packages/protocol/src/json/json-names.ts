import type { JsonValue } from './json.js';

/**
 * Whether the parsed member names match the text. V8 13.6 (Node 24) can confuse a name that is written with an escape
 * with an earlier name that begins with a backslash: `"\u0061"` becomes a backslash. A wrong name always contains a
 * backslash, so counting those is enough.
 *
 * @param text valid JSON from which every member was built
 */
export function hasTrueNames(text: string, value: JsonValue): boolean {
  return !text.includes('\\') || backslashesWritten(text) === backslashesBuilt(value);
}

/** The end of the string that opens at `start`; the end of the text if it does not close. */
export function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Whether an odd number of backslashes precedes a character. */
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

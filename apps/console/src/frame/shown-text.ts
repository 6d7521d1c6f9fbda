import type { JsonValue } from '@vestibule/protocol/json';

/** Control characters, line breaks, and characters that are invisible or change the direction of text. */
export const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const DEFAULT_LENGTH = 200;

/**
 * Returns a text of anyone for display in a line: invisible characters are written as `\u{202e}`, and what exceeds the
 * length is cut off.
 * @param length most characters of the text
 */
export function shownText(text: string, length = DEFAULT_LENGTH): string {
  // A character has one or two units; the rest need not be looked at.
  const characters = [...text.slice(0, 2 * length + 2)];
  const shown = escapedText(characters.slice(0, length).join(''));
  return characters.length > length ? `${shown}…` : shown;
}

/** Returns a text whose invisible characters are written as `\u{202e}`. */
export function escapedText(text: string): string {
  return text.replace(INVISIBLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Returns the JSON text of a value, in which invisible characters are escaped, for a field in which it is edited. */
export function shownJson(value: JsonValue): string {
  return JSON.stringify(value, undefined, 2).replace(INVISIBLE_IN_JSON, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Those of {@link INVISIBLE} that JSON leaves as they are. */
const INVISIBLE_IN_JSON = /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu;

// Control characters, and characters that change the text direction.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Escapes characters that a terminal would interpret. Client names may come from anyone, and could otherwise move the
 * cursor or overwrite output.
 */
export function plainText(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

/** Those characters that JSON does not escape. */
const UNPRINTABLE_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Serializes JSON with the same escapes; the value is unchanged. */
export function plainJson(value: object, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(UNPRINTABLE_IN_JSON, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/**
 * Formats a time in UTC, to the second.
 * @param seconds since the Unix epoch
 */
export function timeText(seconds: number | undefined): string {
  if (seconds === undefined) return '-';
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

/**
 * Formats the date of a time in UTC.
 * @param seconds since the Unix epoch
 */
export function dateText(seconds: number | undefined): string {
  return timeText(seconds).slice(0, 10);
}

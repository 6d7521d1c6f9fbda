// Controls, and the marks that change the direction of writing.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A text that a terminal shows and does not obey. What clients call themselves comes from anyone, and could else
 * move the cursor or overwrite what stands there.
 */
export function plainText(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

/** Of those, the ones that JSON leaves as they are. */
const UNPRINTABLE_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON that a terminal shows and does not obey either: the same value, with more of it escaped. */
export function plainJson(value: object, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(UNPRINTABLE_IN_JSON, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** An instant for people: UTC, to the second. @param seconds since the Unix epoch */
export function timeText(seconds: number | undefined): string {
  if (seconds === undefined) return '-';
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

/** The day of an instant for people, in UTC. @param seconds since the Unix epoch */
export function dateText(seconds: number | undefined): string {
  return timeText(seconds).slice(0, 10);
}

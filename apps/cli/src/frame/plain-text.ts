// Controls, and the marks that change the direction of writing.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A text that a terminal shows and does not obey. What clients call themselves comes from anybody, and could else
 * move the cursor or overwrite what stands there.
 */
export function plainText(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

/** An instant for people: UTC, to the second. @param seconds since the Unix epoch */
export function timeText(seconds: number | undefined): string {
  if (seconds === undefined) return '-';
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

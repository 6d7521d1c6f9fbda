/** Names by placeholder. */
export type Names = Readonly<Record<string, string | undefined>>;

/** Client names are chosen by clients, so their length is limited. */
const MAX_NAME_CHARACTERS = 80;
const HALF_NAME_CHARACTERS = MAX_NAME_CHARACTERS / 2;

/** Characters that are invisible, break lines or change the text direction. */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/**
 * Returns a name for display: one line, limited length, no invisible characters. A long one is cut in the middle, since the end
 * of a host says whose it is.
 */
export function shownName(name: string): string {
  const characters = [...name.replaceAll(INVISIBLE, ' ').trim()];
  if (characters.length <= MAX_NAME_CHARACTERS) return characters.join('');
  return `${characters.slice(0, HALF_NAME_CHARACTERS).join('')}…${characters.slice(-HALF_NAME_CHARACTERS).join('')}`;
}

/**
 * Inserts names into a message. Each name is isolated, so that its direction does not affect the message (Unicode
 * Standard Annex 9 section 2.4). The result is text, not markup.
 */
export function formatMessage(sentence: string, names: Names): string {
  return sentence.replaceAll(
    /\{([a-z]+)\}/g,
    (_whole, name: string) => FIRST_STRONG_ISOLATE + shownName(names[name] ?? '') + POP_ISOLATE,
  );
}

/** Whether two sets of messages have the same placeholders for each key. */
export function haveSamePlaceholders<Messages extends object>(one: Messages, other: Messages): boolean {
  const names = Object.keys(other) as (keyof Messages)[];
  return names.every((name) => placeholders(String(one[name])) === placeholders(String(other[name])));
}

function placeholders(sentence: string): string {
  return [...new Set(sentence.match(/\{[^}]*\}/g) ?? [])].toSorted().join();
}

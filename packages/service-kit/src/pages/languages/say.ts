/** The names that sentences speak of, by placeholder. */
export type Names = Readonly<Record<string, string | undefined>>;

/** Names of clients are their own words: none makes a page long. */
const MAX_NAME_CHARACTERS = 80;

/** Characters that would show nothing, break lines or turn the direction of what follows. */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/** A name as it is shown: one line, not long, without anything that cannot be seen. */
export function shownName(name: string): string {
  const characters = [...name.replaceAll(INVISIBLE, ' ').trim()];
  const isLong = characters.length > MAX_NAME_CHARACTERS;
  return isLong ? `${characters.slice(0, MAX_NAME_CHARACTERS).join('')}…` : characters.join('');
}

/**
 * A sentence with its names in place. Each name stands in an isolate, so that one in another direction leaves the
 * sentence as it is (Unicode Standard Annex 9 section 2.4). The result is text, never markup.
 */
export function say(sentence: string, names: Names): string {
  return sentence.replaceAll(
    /\{([a-z]+)\}/g,
    (_whole, name: string) => FIRST_STRONG_ISOLATE + shownName(names[name] ?? '') + POP_ISOLATE,
  );
}

/** Whether sentences speak of the same names as others, each as the one of the same key. */
export function speakOfSameNames<Messages extends object>(one: Messages, other: Messages): boolean {
  const names = Object.keys(other) as (keyof Messages)[];
  return names.every((name) => placeholders(String(one[name])) === placeholders(String(other[name])));
}

function placeholders(sentence: string): string {
  return [...new Set(sentence.match(/\{[^}]*\}/g) ?? [])].toSorted().join();
}

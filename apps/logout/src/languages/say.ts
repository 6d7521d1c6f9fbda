/** The names that a sentence may speak of. */
export interface Names {
  readonly provider: string;
  readonly client?: string;
}

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
  return sentence.replaceAll(/\{(provider|client)\}/g, (_whole, name: string) => {
    const value = name === 'client' ? names.client : names.provider;
    return FIRST_STRONG_ISOLATE + shownName(value ?? '') + POP_ISOLATE;
  });
}

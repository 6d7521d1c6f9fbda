import { INVISIBLE } from './shown-text.js';

/** Longer names, as URLs, are not typed. */
const MAX_TYPED_LENGTH = 100;

/** Shown like one space. */
const UNUSUAL_SPACE = /\s{2}|[^\S ]/;

/** Typed in place of a name that is too long, or has characters that cannot be typed. */
const GENERAL_WORD = 'confirm';

/** What is wrong if anything else was typed. */
export const OTHER_WORD = 'It differs: nothing was changed.';

/** Returns what must be typed to confirm an action: the name of what it is about, or `confirm`. */
export function confirmationWord(name: string): string {
  const isTypable =
    name !== '' &&
    name.length <= MAX_TYPED_LENGTH &&
    name.trim() === name &&
    name.search(INVISIBLE) === -1 &&
    !UNUSUAL_SPACE.test(name);
  return isTypable ? name : GENERAL_WORD;
}

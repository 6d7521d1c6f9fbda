import { haveSamePlaceholders } from '@vestibule/http/pages';
import { expect, it } from 'vitest';
import { BUILT_IN_LANGUAGES } from './built-in-languages.js';
import type { Messages } from './messages.js';

const ENGLISH = BUILT_IN_LANGUAGES.get('en')?.messages as Messages;
/** Words that are the same in another language. */
const SAME = new Set(['it password']);

it('has every sentence in every language, translated and with the placeholders of the English one', () => {
  for (const [tag, { messages }] of BUILT_IN_LANGUAGES) {
    expect(haveSamePlaceholders(messages, ENGLISH), tag).toBe(true);
    if (tag === 'en') continue;
    for (const name of Object.keys(ENGLISH) as (keyof Messages)[])
      if (!SAME.has(`${tag} ${name}`)) expect(messages[name], `${tag} ${name}`).not.toBe(ENGLISH[name]);
  }
});

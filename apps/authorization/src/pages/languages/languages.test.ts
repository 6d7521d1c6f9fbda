import { speakOfSameNames } from '@vestibule/service-kit/pages';
import { expect, it } from 'vitest';
import { BUILT_IN_LANGUAGES } from './built-in-languages.js';
import type { Messages } from './messages.js';

const ENGLISH = BUILT_IN_LANGUAGES.get('en')?.messages as Messages;
/** Words that another language took over. */
const SAME = new Set(['it password']);

it('has every sentence in every language, in its own words and with the names of the English one', () => {
  for (const [tag, { messages }] of BUILT_IN_LANGUAGES) {
    expect(speakOfSameNames(messages, ENGLISH), tag).toBe(true);
    if (tag === 'en') continue;
    for (const name of Object.keys(ENGLISH) as (keyof Messages)[])
      if (!SAME.has(`${tag} ${name}`)) expect(messages[name], `${tag} ${name}`).not.toBe(ENGLISH[name]);
  }
});

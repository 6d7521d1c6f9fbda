import { expect, it } from 'vitest';
import { confirmationWord } from '../../src/frame/confirmation-word.js';
import { HOSTILE_TEXTS } from '../support/hostile-texts.js';

it('is the name of what an action is about', () => {
  for (const name of ['s6BhdRkqt3', 'https://app.example/client.json', 'Älice B', 'x'.repeat(100)])
    expect(confirmationWord(name)).toBe(name);
});

it('is a word for names that cannot be typed', () => {
  const { direction } = HOSTILE_TEXTS;
  for (const name of ['', ' alice', 'alice\n', 'a\u0000b', direction, 'a  b', 'a\u00a0b', 'x'.repeat(101)])
    expect(confirmationWord(name)).toBe('confirm');
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { haveSamePlaceholders } from '@vestibule/http/pages';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BUILT_IN_LANGUAGES } from './built-in-languages.js';
import type { Messages } from './messages.js';
import { readLanguagesFile } from './read-languages-file.js';

const ENGLISH = BUILT_IN_LANGUAGES.get('en')?.messages as Messages;

describe('BUILT_IN_LANGUAGES', () => {
  it('have every sentence, translated and with the placeholders of the English one', () => {
    for (const [tag, { messages }] of BUILT_IN_LANGUAGES) {
      expect(Object.keys(messages).toSorted(), tag).toEqual(Object.keys(ENGLISH).toSorted());
      expect(haveSamePlaceholders(messages, ENGLISH), tag).toBe(true);
      if (tag === 'en') continue;
      for (const name of Object.keys(ENGLISH) as (keyof Messages)[])
        expect(messages[name], `${tag} ${name}`).not.toBe(ENGLISH[name]);
    }
  });

  it('use a different text for each state of a client', () => {
    for (const [tag, { messages }] of BUILT_IN_LANGUAGES) {
      const { waiting, notified, confirmed, retrying, failed } = messages;
      expect(new Set([waiting, notified, confirmed, retrying, failed]).size, tag).toBe(5);
    }
  });
});

describe('readLanguagesFile', () => {
  const write = (content: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'languages-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'languages.json');
    writeFileSync(file, content);
    return file;
  };
  const read = (value: unknown) => readLanguagesFile(write(JSON.stringify(value)));
  const messages = Object.fromEntries(Object.entries(ENGLISH).map(([name, text]) => [name, `eu ${text}`]));

  it('adds languages to the built-in ones, and replaces those', () => {
    const reading = read({ eu: { direction: 'ltr', messages }, de: { direction: 'ltr', messages } });
    const languages = 'value' in reading ? reading.value : new Map();
    expect(languages.size).toBe(BUILT_IN_LANGUAGES.size + 1);
    expect(languages.get('eu')?.messages.accept).toBe('eu Yes, log out');
    expect(languages.get('de')?.messages.accept).toBe('eu Yes, log out');
  });

  it('refuses a file with a missing or unknown sentence, or with other placeholders', () => {
    const { accept: _accept, ...incomplete } = messages;
    const wrong: readonly unknown[] = [
      { eu: { direction: 'ltr', messages: incomplete } },
      { eu: { direction: 'ltr', messages: { ...messages, more: 'x' } } },
      { eu: { direction: 'ltr', messages: { ...messages, ended: 'without a name' } } },
      { eu: { direction: 'ltr', messages: { ...messages, ended: '{provider} {password}' } } },
      { eu: { direction: 'ltr', messages: { ...messages, accept: '' } } },
      { eu: { direction: 'up', messages } },
      { EU: { direction: 'ltr', messages } },
      { '../x': { direction: 'ltr', messages } },
      { 'de-x': { direction: 'ltr', messages } },
      [],
      'eu',
    ];
    for (const value of wrong)
      expect(read(value), JSON.stringify(value).slice(0, 80)).toHaveProperty('problem');
    expect(readLanguagesFile(write('{'))).toHaveProperty('problem');
    expect(readLanguagesFile('/nowhere/languages.json')).toHaveProperty('problem');
  });
});

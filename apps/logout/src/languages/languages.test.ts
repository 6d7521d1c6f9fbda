import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BUILT_IN_LANGUAGES } from './built-in-languages.js';
import { chooseLocale } from './choose-locale.js';
import { en } from './en.js';
import { hasPlaceholders, readLanguagesFile } from './read-languages-file.js';
import { say, shownName } from './say.js';

describe('BUILT_IN_LANGUAGES', () => {
  it('are at least twelve, some from right to left, each with every sentence and the same names in it', () => {
    expect(BUILT_IN_LANGUAGES.size).toBeGreaterThanOrEqual(12);
    expect([...BUILT_IN_LANGUAGES.values()].filter(({ direction }) => direction === 'rtl')).toHaveLength(2);
    for (const [tag, { messages }] of BUILT_IN_LANGUAGES) {
      expect(Object.keys(messages).toSorted(), tag).toEqual(Object.keys(en.messages).toSorted());
      expect(hasPlaceholders(messages), tag).toBe(true);
      if (tag !== 'en')
        for (const [name, sentence] of Object.entries(messages))
          expect(sentence, `${tag} ${name}`).not.toBe(
            Object.entries(en.messages).find(([key]) => key === name)?.[1],
          );
    }
  });
});

describe('chooseLocale', () => {
  const choose = (uiLocales: string | undefined, acceptLanguage?: string) =>
    chooseLocale(BUILT_IN_LANGUAGES, { uiLocales, acceptLanguage }).tag;

  it('takes the first tag of ui_locales that there is a page for, by its shorter forms too, then the header', () => {
    expect(choose('fr de')).toBe('fr');
    expect(choose('xx-YY DE-ch-1996 fr')).toBe('de');
    expect(choose('xx', 'yy, nl;q=0.5, tr;q=0.8')).toBe('tr');
    expect(choose('zh-Hant-TW')).toBe('zh');
  });

  it('is English where nothing fits, is refused, or is not a tag', () => {
    for (const text of [
      '',
      ' ',
      'xx',
      '../../etc/passwd',
      '__proto__',
      'constructor',
      `de${'-x'.repeat(40)}`,
    ])
      expect(choose(text, text), text).toBe('en');
    expect(choose(undefined, 'de;q=0')).toBe('en');
    expect(choose(undefined, 'de;q=x')).toBe('en');
  });

  it('looks at ten tags of each and at no more', () => {
    expect(choose(`${'xx '.repeat(9)}de`)).toBe('de');
    expect(choose(`${'xx '.repeat(10)}de`)).toBe('en');
    expect(choose(undefined, `${'xx,'.repeat(10)}de`)).toBe('en');
  });

  it('always is one of the languages, and prefers little, whatever is asked for', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.string({ maxLength: 400 }),
        (locales, header) => {
          const { tag, preferred } = chooseLocale(BUILT_IN_LANGUAGES, {
            uiLocales: locales,
            acceptLanguage: header,
          });
          expect(BUILT_IN_LANGUAGES.has(tag)).toBe(true);
          expect(preferred.length).toBeLessThanOrEqual(21);
        },
      ),
    );
  });
});

describe('say', () => {
  it('puts names in isolates, and takes nothing in a name for a placeholder', () => {
    const names = { provider: '{client}', client: '{provider}' };
    expect(say('{client} and {provider}', names)).toBe('\u2068{provider}\u2069 and \u2068{client}\u2069');
  });

  it('shows names on one line, short, and without what turns the direction of a text', () => {
    expect(shownName('a\nb\u202ec\u2069')).toBe('a b c');
    expect([...shownName('😀'.repeat(500))]).toHaveLength(81);
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
  const messages = Object.fromEntries(
    Object.entries(en.messages).map(([name, text]) => [name, `eu ${text}`]),
  );

  it('adds languages to the built-in ones, and replaces those', () => {
    const reading = read({ eu: { direction: 'ltr', messages }, de: { direction: 'ltr', messages } });
    const languages = 'value' in reading ? reading.value : new Map();
    expect(languages.size).toBe(BUILT_IN_LANGUAGES.size + 1);
    expect(languages.get('eu')?.messages.accept).toBe('eu Yes, log out');
    expect(languages.get('de')?.messages.accept).toBe('eu Yes, log out');
  });

  it('refuses a file that lacks a sentence, has one too many, or names somebody else', () => {
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
      [],
      'eu',
    ];
    for (const value of wrong)
      expect(read(value), JSON.stringify(value).slice(0, 80)).toHaveProperty('problem');
    expect(readLanguagesFile(write('{'))).toHaveProperty('problem');
    expect(readLanguagesFile('/nowhere/languages.json')).toHaveProperty('problem');
  });
});

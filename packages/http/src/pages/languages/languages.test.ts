import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_DIRECTIONS } from './built-in-directions.js';
import { builtInLanguages } from './built-in-languages.js';
import { chooseLocale } from './choose-locale.js';
import { COMMON_MESSAGES } from './common-messages.js';
import { formatMessage, haveSamePlaceholders, shownName } from './format-message.js';

const LANGUAGES = builtInLanguages(COMMON_MESSAGES);

describe('COMMON_MESSAGES', () => {
  it('exist in every language, translated and with the same placeholders as in English', () => {
    expect(Object.keys(COMMON_MESSAGES).toSorted()).toEqual(Object.keys(BUILT_IN_DIRECTIONS).toSorted());
    for (const [tag, messages] of Object.entries(COMMON_MESSAGES)) {
      expect(haveSamePlaceholders(messages, COMMON_MESSAGES.en), tag).toBe(true);
      if (tag === 'en') continue;
      for (const [name, sentence] of Object.entries(messages))
        expect(Object.values(COMMON_MESSAGES.en), `${tag} ${name}`).not.toContain(sentence);
    }
  });
});

describe('chooseLocale', () => {
  const choose = (uiLocales: string | undefined, acceptLanguage?: string) =>
    chooseLocale(LANGUAGES, { uiLocales, acceptLanguage }).tag;

  it('chooses the first tag of ui_locales with a page, including its shorter forms, then the header', () => {
    expect(choose('fr de')).toBe('fr');
    expect(choose('xx-YY DE-ch-1996 fr')).toBe('de');
    expect(choose('xx', 'yy, nl;q=0.5, tr;q=0.8')).toBe('tr');
  });

  it('supports regional variants and aliases of tags', () => {
    expect(choose('pt-BR')).toBe('pt-BR');
    expect(choose('pt-PT')).toBe('pt');
    for (const tag of ['zh-TW', 'zh-Hant-TW', 'zh-Hant', 'zh-HK', 'zh-Hant-HK', 'zh-mo'])
      expect(choose(tag), tag).toBe('zh-TW');
    for (const tag of ['zh', 'zh-CN', 'zh-Hans', 'zh-SG']) expect(choose(tag), tag).toBe('zh');
    expect(choose('iw')).toBe('he');
  });

  it('chooses English if no tag matches, has weight zero, or is invalid', () => {
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

  it('uses at most ten tags of each', () => {
    expect(choose(`${'xx '.repeat(9)}de`)).toBe('de');
    expect(choose(`${'xx '.repeat(10)}de`)).toBe('en');
    expect(choose(undefined, `${'xx,'.repeat(10)}de`)).toBe('en');
  });

  it('always chooses an existing language with a short list of preferred tags, whatever is requested', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.string({ maxLength: 400 }),
        (uiLocales, acceptLanguage) => {
          const { tag, preferred } = chooseLocale(LANGUAGES, { uiLocales, acceptLanguage });
          expect(LANGUAGES.has(tag.toLowerCase())).toBe(true);
          expect(preferred.length).toBeLessThanOrEqual(21);
        },
      ),
    );
  });
});

describe('formatMessage', () => {
  it('isolates names, and does not replace placeholders inside names', () => {
    const names = { provider: '{client}', client: '{provider}' };
    expect(formatMessage('{client} and {provider}', names)).toBe(
      '\u2068{provider}\u2069 and \u2068{client}\u2069',
    );
  });

  it('shows names on one line, shortened, and without characters that change the text direction', () => {
    expect(shownName('a\nb\u202ec\u2069')).toBe('a b c');
    expect([...shownName('😀'.repeat(500))]).toHaveLength(81);
    // The end of a host says whose it is.
    expect(shownName(`https://bank.example.${'a'.repeat(63)}.${'b'.repeat(63)}.evil.example`)).toMatch(
      /^https:\/\/bank\.example\.a+…b+\.evil\.example$/,
    );
  });
});

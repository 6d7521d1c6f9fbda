import type { ClientMetadata } from '@vestibule/metadata';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_DIRECTIONS, builtInLanguages } from './built-in-languages.js';
import { chooseLocale } from './choose-locale.js';
import { clientAddress, clientName, type ShownMetadata } from './client-words.js';
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
  });
});

describe('clientName and clientAddress', () => {
  const metadata = {
    client_name: 'Shop',
    'client_name#de': 'Laden',
    'client_name#PT-br': 'Loja',
    client_uri: 'https://shop.example/',
    'client_uri#de': 'https://laden.example/',
    policy_uri: 'javascript:1',
  } as unknown as ClientMetadata;
  const locale = (uiLocales: string) => chooseLocale(LANGUAGES, { uiLocales });

  it('are in the preferred language of the end-user, else untagged', () => {
    const named = (tags: string) => clientName(metadata, locale(tags));
    expect(['de-AT', 'pt-BR', 'fr', 'ar de'].map(named)).toEqual(['Laden', 'Loja', 'Shop', 'Laden']);
    expect(clientAddress(metadata, 'client_uri', locale('de'))).toBe('https://laden.example/');
    expect(clientAddress(metadata, 'client_uri', locale('fr'))).toBe('https://shop.example/');
  });

  it('use the text of the page for an unnamed client, and only http(s) URLs', () => {
    const nothing: ShownMetadata = {};
    expect(clientName(nothing, locale('de'))).toBe('der App');
    for (const blank of ['  ', '\u2800', '\u2800 \u3000', '\u3164', '\u200b'])
      expect(clientName({ client_name: blank }, locale('de'))).toBe('der App');
    expect(clientAddress(metadata, 'policy_uri', locale('de'))).toBeUndefined();
    expect(clientAddress(metadata, 'tos_uri', locale('de'))).toBeUndefined();
  });
});

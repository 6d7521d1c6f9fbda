import { builtInLanguages, COMMON_MESSAGES, chooseLocale } from '@vestibule/http/pages';
import type { ClientMetadata } from '@vestibule/metadata';
import { describe, expect, it } from 'vitest';
import { clientAddress, clientName, type ShownMetadata } from './client-words.js';

const LANGUAGES = builtInLanguages(COMMON_MESSAGES);

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

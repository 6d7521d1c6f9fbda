import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { introspectionEndpoint, registrationEndpoint } from './constants/endpoints.js';
import { CLIENT_ID_MAX_LENGTH, parseClientId, parseIssuer } from './identifiers.js';

describe('parseClientId', () => {
  it('accepts printable ASCII, generated ids and entity ids, and changes nothing', () => {
    for (const id of [
      'a',
      'Zq3VtKx0b8',
      'https://rp.example/a?b=c#d',
      '!"\\~',
      'a b  c',
      'a'.repeat(CLIENT_ID_MAX_LENGTH),
    ])
      expect(parseClientId(id)).toBe(id);
  });

  it('refuses values that are not valid identifiers', () => {
    const bad = [
      '',
      ' ',
      ' a',
      'a ',
      'a\tb',
      'a\n',
      '\na',
      'a\0',
      'a\x7f',
      'ä',
      '\ud800',
      'a'.repeat(CLIENT_ID_MAX_LENGTH + 1),
    ];
    for (const value of [...bad, undefined, null, 1, {}, ['a'], { not: '' }])
      expect(parseClientId(value), JSON.stringify(value)).toBeUndefined();
  });

  it('accepts a text if and only if every character is printable ASCII and no space is at an end', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.nat({ max: 0x17f }).map((code) => String.fromCharCode(code)),
          minLength: 1,
          maxLength: 20,
        }),
        (text) => {
          expect(parseClientId(text) !== undefined).toBe(
            [...text].every((letter) => letter >= ' ' && letter < '\x7f') && text.trim() === text,
          );
        },
      ),
    );
  });
});

describe('parseIssuer', () => {
  it('keeps the spelling, without trailing slashes', () => {
    for (const [text, issuer] of [
      ['https://as.example', 'https://as.example'],
      ['https://as.example/', 'https://as.example'],
      ['https://as.example/tenant//', 'https://as.example/tenant'],
      ['http://localhost:8080', 'http://localhost:8080'],
    ] as const)
      expect(parseIssuer(text)).toBe(issuer);
  });

  it('refuses anything that is not an absolute http(s) URL, and credentials, queries and fragments', () => {
    const bad = [
      '',
      'as.example',
      '/path',
      'ftp://as.example',
      'javascript:alert(1)',
      'https://',
      'https://u@as.example',
    ];
    for (const text of [
      ...bad,
      'https://u:p@as.example',
      'https://as.example?',
      'https://as.example/?a=b',
      'https://as.example/#',
    ])
      expect(() => parseIssuer(text), text).toThrow(TypeError);
  });

  // Issuers are compared as strings everywhere, so spellings that the URL parser would repair must be refused.
  it('refuses addresses that only a lenient parser accepts', () => {
    for (const text of [
      ' https://as.example',
      'https://as.example\n',
      'https:/as.example',
      'https:as.example',
      'https:\\\\as.example',
      'ht\ttps://as.example',
      'HTTPS://as.example',
      'https://AS.example',
      'https://as.example:443',
      'https://as.example/a/../b',
    ])
      expect(() => parseIssuer(text), JSON.stringify(text)).toThrow(TypeError);
  });

  it('is the base of the endpoint URLs', () => {
    const issuer = parseIssuer('https://as.example/tenant/');
    expect(introspectionEndpoint(issuer)).toBe('https://as.example/tenant/token/introspect');
    expect(registrationEndpoint(issuer)).toBe('https://as.example/tenant/clients');
  });
});

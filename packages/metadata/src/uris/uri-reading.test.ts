import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameOrigin, readUri } from './uri-reading.js';

// Spellings that browsers silently repair or parse differently from RFC 3986; accepting one lets an attacker exploit
// the difference.
const MISREAD = [
  'https:/\\evil.example/cb',
  'https:/evil.example/cb',
  'https:evil.example/cb',
  'https:///evil.example/cb',
  'https:\\\\evil.example/cb',
  'https://app.example\\@evil.example/cb',
  'https://app.example/\\evil.example',
  'https://app.example@evil.example/cb',
  'https://app.example:443@evil.example/cb',
  'https://a@b@evil.example/cb',
  'https://@evil.example/cb',
  'https://user:pw@app.example/cb',
  ' https://app.example/cb',
  'https://app.example/cb ',
  'https://app.example/c b',
  '\thttps://app.example/cb',
  'ht\ttps://app.example/cb',
  'https://app.exa\nmple/cb',
  'https://app.example/\r\ncb',
  '\u0000https://app.example/cb',
  'https://app.example/%00cb',
  'https://app.example/%0d%0acb',
  'https://app.example/../cb',
  'https://app.example/a/..;/cb',
  'https://app.example/./cb',
  'https://app.example/%2e%2e/cb',
  'https://app.example/.%2E/cb',
  'https://app.example/a/..%3bx/cb',
  'https://app.example/..',
  'https://app。example/cb',
  'https://\uff41pp.example/cb',
  'https://éxample.org/cb',
  'https://app%2eexample/cb',
  'https://ex%61mple.org/cb',
  'https://0x7f.1/cb',
  'https://2130706433/cb',
  'https://127.1/cb',
  'https://0177.0.0.1/cb',
  'https://[::ffff:127.0.0.1]/cb',
  'https://[0:0:0:0:0:0:0:1]/cb',
  'https://[::1%25eth0]/cb',
  'https://[v1.x]/cb',
  'https://app.example:/cb',
  'https://app.example:0443/cb',
  'https://app.example:65536/cb',
  'https://app.example:4 43/cb',
  'https://app.example./cb',
  'https://app.example:443:443/cb',
  'https://app.example/%zz',
  'https://app.example/a[b]',
  'https://app.example/<x>',
  'https://',
  'https://?x',
  '//app.example/cb',
  '/cb',
  'app.example/cb',
  'example.com:cb',
  '1https://app.example/cb',
  '',
];

describe('readUri', () => {
  it('refuses everything that two parsers would read differently', () => {
    expect(MISREAD.filter((uri) => readUri(uri) !== undefined)).toEqual([]);
  });

  it('reads equivalent spellings alike, whether or not browsers normalize them', () => {
    const port = (uri: string) => readUri(uri)?.port;
    expect(readUri('https://App.Example/cb?x=1#y')).toEqual({
      scheme: 'https',
      host: 'app.example',
      port: 443,
      path: '/cb',
      query: 'x=1',
      hasFragment: true,
    });
    expect([
      port('HTTPS://a.example'),
      port('https://a.example:443/'),
      port('http://a.example:8080'),
    ]).toEqual([443, 443, 8080]);
    expect(readUri('http://[::1]:3000/cb')).toMatchObject({ host: '[::1]', port: 3000 });
    expect(readUri('https://xn--bcher-kva.example/')).toMatchObject({ host: 'xn--bcher-kva.example' });
    expect(readUri('org.example.app:/cb')).toEqual({
      scheme: 'org.example.app',
      host: '',
      path: '/cb',
      hasFragment: false,
    });
    expect(readUri('org.example.app://cb')).toMatchObject({ host: 'cb', path: '' });
    expect(readUri('https://a.example/...')).toBeDefined();
  });

  it('agrees with browsers on scheme, host and port of everything that it accepts', () => {
    const seeds = fc.constantFrom(
      ...MISREAD,
      'https://app.example:8443/cb?x=1',
      'http://localhost:3000/',
      'org.example:/cb',
    );
    const noise = fc.constantFrom(
      '@',
      '\\',
      '/',
      ':',
      '?',
      '#',
      '.',
      '%2f',
      '%40',
      '[',
      ']',
      '\t',
      ';',
      '0',
      'x',
      '//',
      '。',
      'evil.example',
    );
    const mutated = fc
      .tuple(seeds, fc.array(fc.tuple(fc.nat(40), fc.nat(3), noise), { maxLength: 4 }))
      .map(([seed, edits]) =>
        edits.reduce((uri, [at, removed, added]) => uri.slice(0, at) + added + uri.slice(at + removed), seed),
      );
    fc.assert(
      fc.property(mutated, (uri) => {
        const reading = readUri(uri);
        if (reading === undefined) return;
        const url = new URL(uri);
        // RFC 3986 appendix B, repeated here so that the test does not depend on the implementation.
        const [, scheme, , authority] = /^(([^:/?#]+):)(\/\/([^/?#]*))?/.exec(uri)?.slice(1) ?? [];
        expect(`${reading.scheme}:`).toBe(url.protocol);
        expect(scheme?.toLowerCase()).toBe(reading.scheme);
        expect(reading.host).toBe(url.hostname.toLowerCase());
        expect((authority ?? '').toLowerCase().replace(/:\d*$/, '')).toBe(reading.host);
        expect(uri).not.toMatch(/[\\\s]/);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('isSameOrigin', () => {
  const isSame = (a: string, b: string) => {
    const [left, right] = [readUri(a), readUri(b)];
    return left !== undefined && right !== undefined && isSameOrigin(left, right);
  };

  it('compares scheme, host and effective port', () => {
    expect(isSame('https://a.example/x', 'https://A.example:443/y')).toBe(true);
    for (const other of [
      'http://a.example',
      'https://b.example',
      'https://a.example:8443',
      'https://x.a.example',
    ]) {
      expect(isSame('https://a.example', other)).toBe(false);
    }
  });
});

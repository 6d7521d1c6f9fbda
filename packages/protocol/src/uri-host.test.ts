import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEntityHost, isUriHost } from './uri-host.js';

describe('isUriHost', () => {
  it('accepts host names of LDH labels, punycode, IPv4 and bracketed IPv6 addresses', () => {
    const hosts = [
      'app.example',
      'localhost',
      'App.Example',
      'a-b.c--d.example',
      'xn--bcher-kva.example',
      '3com.example',
      '1.2.3.example',
      `${'a'.repeat(63)}.example`,
      '192.0.2.1',
      '0.0.0.0',
      '255.255.255.255',
      '[::1]',
      '[2001:db8::1]',
      '[::ffff:192.0.2.1]',
    ];
    expect(hosts.filter((host) => !isUriHost(host))).toEqual([]);
  });

  it('refuses every other text', () => {
    const texts = [
      '',
      '.',
      'app.example.',
      '.app.example',
      'app..example',
      '-a.example',
      'a-.example',
      'a_b.example',
      'e.example;sandbox',
      "'self'",
      "e'self'.example",
      'a,b.example',
      'a b.example',
      'a*.example',
      '*.example',
      'a%2eb.example',
      'éxample.org',
      'app.example:443',
      'user@app.example',
      'app.example/',
      'app.example\n',
      `${'a'.repeat(64)}.example`,
      `${'a.'.repeat(126)}ab`,
      '1.2.3',
      '1.2.3.4.5',
      '256.1.1.1',
      '01.2.3.4',
      '2130706433',
      '0x7f.1',
      'a.0x',
      '::1',
      '[]',
      '[::1',
      '[::1]:80',
      '[:::1]',
      '[::1%25eth0]',
      '[v1.x]',
      '[1.2.3.4]',
    ];
    expect(texts.filter(isUriHost)).toEqual([]);
  });

  it('accepts nothing that could end, quote or extend a source of a Content-Security-Policy', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab0.-:[]', ';', ',', "'", '"', ' ', '*', '/', '_', '\t') }),
        (text) => {
          if (isUriHost(text)) expect(text).toMatch(/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/);
        },
      ),
      { numRuns: 5_000 },
    );
  });
});

describe('isEntityHost', () => {
  it('accepts underscores in place of hyphens, and otherwise the same hosts as isUriHost', () => {
    const hosts = ['tm_owner.example.org', 'a__b.example', 'rp.example', '127.0.0.1', '[::1]'];
    expect(hosts.filter((host) => !isEntityHost(host))).toEqual([]);
    expect(['_rp.example', 'rp_.example', '_', 'e;x.example', 'a b', ''].filter(isEntityHost)).toEqual([]);
  });
});

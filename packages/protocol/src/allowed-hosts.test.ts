import { describe, expect, it } from 'vitest';
import { isAllowedHost, parseAllowedHosts } from './allowed-hosts.js';

describe('parseAllowedHosts', () => {
  it('allows a host without port on every port, and a host with port on that port only', () => {
    const allowed = parseAllowedHosts(['LocalHost', '127.0.0.1:8080', '[::1]']);
    for (const url of [
      'http://localhost/',
      'https://localhost:1/',
      'http://127.0.0.1:8080/x',
      'http://[::1]:5/',
    ]) {
      expect([url, isAllowedHost(allowed, new URL(url))]).toEqual([url, true]);
    }
    for (const url of [
      'http://127.0.0.1/',
      'http://127.0.0.1:8081/',
      'http://a.localhost/',
      'http://[::2]/',
    ]) {
      expect([url, isAllowedHost(allowed, new URL(url))]).toEqual([url, false]);
    }
  });

  it('infers the port from the scheme of a URL without port', () => {
    const allowed = parseAllowedHosts(['a.example:80', 'b.example:443']);
    const responses = [
      'http://a.example/',
      'https://a.example/',
      'http://b.example/',
      'https://b.example/',
    ].map((url) => isAllowedHost(allowed, new URL(url)));
    expect(responses).toEqual([true, false, false, true]);
  });

  it('refuses entries that are not hosts, and does not repeat them', () => {
    const bad = [
      '',
      ' ',
      '*',
      '*.example',
      'a b',
      'http://a.example',
      'a.example/',
      'a.example:',
      'a.example:0',
    ];
    for (const entry of [
      ...bad,
      'a.example:65536',
      'user@a.example',
      '::1',
      '[::1',
      '[zz]',
      'a.example.',
      '1.2.3.4.5',
    ]) {
      expect(() => parseAllowedHosts([entry]), entry).toThrow(TypeError);
    }
    expect(() => parseAllowedHosts(['s3cret@host'])).toThrow(/^(?!.*s3cret)/);
  });
});

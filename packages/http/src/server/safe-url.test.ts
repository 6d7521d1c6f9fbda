import fc from 'fast-check';
import { expect, it } from 'vitest';
import { replaceUndecodableSegments } from './safe-url.js';

it('replaces undecodable segments with one that no identifier can have', () => {
  for (const bad of ['%zz', '%', '%2', 'a%c3b', '%ed%a0%80', '%ff', '100%']) {
    expect(replaceUndecodableSegments(`/clients/${bad}`)).toBe('/clients/%EF%BF%BD');
    expect(replaceUndecodableSegments(`/${bad}/x?q=%zz`)).toBe('/%EF%BF%BD/x?q=%zz');
  }
});

it('leaves everything else unchanged', () => {
  for (const url of [
    '/',
    '/clients',
    '/clients/a%2Fb',
    '/clients/https%3A%2F%2Frp.example',
    '/a?b=%zz',
    '/a#%',
    '*',
  ]) {
    expect(replaceUndecodableSegments(url)).toBe(url);
  }
});

it('always returns a decodable path', () => {
  const part = fc.constantFrom('/', 'a', '%', '%4', '%41', '%c3', '%a9', '%2f', '?', 'z', '#');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const [path = ''] = replaceUndecodableSegments(`/${parts.join('')}`).split(/[?#]/);
      expect(() => decodeURIComponent(path)).not.toThrow();
    }),
  );
});

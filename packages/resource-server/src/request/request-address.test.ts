import fc from 'fast-check';
import { expect, it } from 'vitest';
import { requestAddress } from './request-address.js';

const BASE = 'https://api.example';

it.each([
  ['/orders/7', `${BASE}/orders/7`],
  ['/orders?id=7#top', `${BASE}/orders`],
  ['/', `${BASE}/`],
  ['https://other.example/orders?id=7', `${BASE}/orders`],
  ['http://user@other.example', `${BASE}/`],
  ['//other.example/orders', `${BASE}//other.example/orders`],
])('takes only the path: %s', (target, address) => {
  expect(requestAddress(BASE, target)).toBe(address);
});

it.each(['*', 'orders', 'other.example:443', '/caf\u00e9', '/a b', '/a\n', '?x', ''])(
  'refuses %j',
  (target) => {
    expect(requestAddress(BASE, target)).toBe(target === '' ? `${BASE}/` : undefined);
  },
);

it('never leaves the configured origin', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.webUrl(), fc.boolean(), (text, url, isUrl) => {
      const address = requestAddress(BASE, isUrl ? url + text : text);
      if (address !== undefined) expect(new URL(address).origin).toBe(BASE);
    }),
  );
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeBase64url } from './decode-base64url.js';

it('decodes what the platform encodes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(decodeBase64url(Buffer.from(bytes).toString('base64url'))).toEqual(Buffer.from(bytes));
    }),
  );
});

it('refuses every other spelling: padding, white space, base64 letters, unused bits, other characters', () => {
  // AQ is the byte 1; AR differs from it only in unused bits.
  for (const text of [
    'AQ==',
    'AQ=',
    ' AQ',
    'AQ ',
    'A Q',
    'AQ\n',
    'AR',
    'A',
    'AAAAA',
    '+/8',
    'A.Q',
    'AQ\0',
    'ÄQ',
  ])
    expect(decodeBase64url(text), JSON.stringify(text)).toBeUndefined();
});

import { expect, it } from 'vitest';
import { sha256 } from './sha256.js';

it('returns the published digest of abc (FIPS 180-2 appendix B.1), for text and for bytes', () => {
  const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(Buffer.from(sha256('abc')).toString('hex')).toBe(expected);
  expect(Buffer.from(sha256(Uint8Array.of(0x61, 0x62, 0x63))).toString('hex')).toBe(expected);
});

it('encodes text as UTF-8', () => {
  expect(sha256('é')).toEqual(sha256(Uint8Array.of(0xc3, 0xa9)));
});

import { seededRandom } from '@vestibule/protocol/testing';

/** Values of `Authorization` with the scheme Bearer but without a token (RFC 6750 section 2.1). */
export const MALFORMED_BEARERS: readonly string[] = [
  'Bearer',
  'bearer',
  'Bearer ',
  'Bearer   ',
  'Bearer =',
  'Bearer ==',
  'Bearer a b',
  'Bearer a,b',
  'Bearer "a"',
  'Bearer a=b',
  'Bearer \u00e9',
  'Bearer a\u00a0',
  'Bearer %zz',
  'Bearer a;b',
  'Bearer {"not":""}',
  `Bearer ${'x'.repeat(8_193)}`,
  ...generated(474).map((text) => `Bearer ${text}`),
];

/** Texts of the bytes that a header can contain, each with one that no token contains. */
function generated(count: number): string[] {
  const random = seededRandom(2026);
  return Array.from({ length: count }, (_, index) => {
    const bytes = [...random.bytes(1 + (index % 40))].map((byte) =>
      String.fromCharCode(0x20 + (byte % 0xdf)),
    );
    const text = bytes.join('').replaceAll('\u007f', '?');
    return `x${text}"y`;
  });
}

/** Values of `Authorization` with another scheme, or with none. */
export const OTHER_SCHEMES: readonly string[] = [
  '',
  'Basic',
  'Basic eDp5',
  'Basic %zz',
  'Digest username="x"',
  'DPoP x',
  'Negotiate abc',
  'BearerX y',
  'Bearer\u00a0x',
  '?',
];

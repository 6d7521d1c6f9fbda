import fc from 'fast-check';
import { expect, it } from 'vitest';
import { introspectionFormat } from './introspection-format.js';

const JWT = 'application/token-introspection+jwt';
const LEGACY = 'application/jwt';

it.each([
  undefined,
  '',
  '*/*',
  'application/*',
  'application/json',
  'application/json;charset=UTF-8',
  'Application/JSON, */*;q=0.1',
  'text/html',
  'text/html, image/*',
  `${JWT};q=0`,
  `${JWT};q=0, ${LEGACY};q=0.000, application/json;q=0`,
  `${JWT};q=x`,
  `${JWT};q=1.5`,
  `${JWT};q=0.8, application/json`,
  `${JWT};q=0.8, */*`,
  `application/json, ${JWT}`,
  `application/json;q=0.5, ${LEGACY};q=0.5`,
  `${JWT}x`,
  `x${LEGACY}`,
  `application /jwt`,
  ',,,;;==',
])('selects JSON for Accept: %s', (accept) => {
  expect(introspectionFormat(accept)).toBe('json');
});

it.each([
  JWT,
  ` ${JWT.toUpperCase()} ; q=1.000`,
  `${JWT};profile=x`,
  `${JWT}, application/json`,
  `${JWT}, */*`,
  `*/*, ${JWT}`,
  `application/*, ${JWT}`,
  `application/json;q=0.9, ${JWT}`,
  `${LEGACY};q=0.9, ${JWT};q=0.901`,
  `${JWT}, ${LEGACY}`,
  `${JWT};q=0.001, text/html`,
  `*/*, application/json;q=0`,
])('selects the format of RFC 9701 for Accept: %s', (accept) => {
  expect(introspectionFormat(accept)).toBe('jwt');
});

it.each([
  LEGACY,
  `${LEGACY}, ${JWT}`,
  `${LEGACY}, */*;q=0.1`,
  `${JWT};q=0.2, ${LEGACY};q=0.3, application/json;q=0.1`,
  `application/*, application/json;q=0, ${JWT};q=0`,
])('selects the legacy format for Accept: %s', (accept) => {
  expect(introspectionFormat(accept)).toBe('legacy-jwt');
});

it('selects a supported format for any header', () => {
  const parts = fc.constantFrom(
    JWT,
    LEGACY,
    'application/json',
    '*/*',
    ';q=',
    '0.5',
    ',',
    ' ',
    '"',
    '\t',
    '/',
  );
  const header = fc.oneof(
    fc.string(),
    fc.array(parts).map((chosen) => chosen.join('')),
  );
  fc.assert(
    fc.property(header, (accept) => {
      const format = introspectionFormat(accept);
      expect(['json', 'jwt', 'legacy-jwt']).toContain(format);
      expect(introspectionFormat(accept)).toBe(format);
    }),
  );
});

import { expect, it } from 'vitest';
import { upstreamSubject } from './upstream-subject.js';

const ISSUER = 'https://idp.example';

it('gives an end-user of an issuer one subject forever, since tokens and consents are stored by it', () => {
  expect(upstreamSubject(ISSUER, '1')).toBe('YP0aRtpWCRc-kCZdWkZS4mxfWlwvXmPjwF0jV5Mag04');
});

it('gives end-users of two issuers different subjects, whatever their identifiers are', () => {
  const pairs = [
    [ISSUER, '1'],
    [ISSUER, '2'],
    ['https://idp.example.org', '1'],
    [`${ISSUER}","1`, ''],
    [ISSUER, '"1'],
  ] as const;
  expect(new Set(pairs.map(([issuer, subject]) => upstreamSubject(issuer, subject))).size).toBe(pairs.length);
});

import type { TokenEvent } from '@vestibule/tokens/testing';
import { expect, it } from 'vitest';
import { aftermathsOf } from './aftermath.js';

type Introspected = Extract<TokenEvent, { kind: 'introspected' }>;

const revoked = (token: string, doneAtMs: number): TokenEvent => ({
  kind: 'revoked',
  token,
  begunAtMs: 0,
  doneAtMs,
});
const introspected = (
  token: string,
  node: string,
  begunAtMs: number,
  response: Introspected['response'],
): Introspected => ({
  kind: 'introspected',
  token,
  node,
  begunAtMs,
  doneAtMs: begunAtMs + 1,
  response,
});

it('gives for each revocation and instance the last wrong response and the time to the next request', () => {
  const events = [
    introspected('one', 'a', 5, 'active'),
    revoked('one', 10),
    introspected('one', 'a', 12, 'active'),
    introspected('one', 'a', 15, 'active'),
    introspected('one', 'a', 17, 'fault'),
    introspected('one', 'a', 20, 'inactive'),
    introspected('one', 'b', 11, 'inactive'),
    introspected('one', 'b', 30, 'inactive'),
  ];
  expect(aftermathsOf(events, ['a', 'b', 'c'])).toEqual([
    { token: 'one', isSameNode: false, staleMs: 5, unknownMs: 5 },
    { token: 'one', isSameNode: false, staleMs: 0, unknownMs: 1 },
  ]);
});

it('counts a token that never becomes inactive, and none without a later request', () => {
  const events = [
    revoked('still active', 200),
    introspected('still active', 'a', 150, 'active'),
    introspected('still active', 'b', 204, 'active'),
    revoked('without a request', 300),
    introspected('without a request', 'a', 299, 'active'),
    introspected('without a request', 'b', 301, 'fault'),
  ];
  expect(aftermathsOf(events, ['a', 'b'])).toEqual([
    { token: 'still active', isSameNode: false, staleMs: 4, unknownMs: Number.POSITIVE_INFINITY },
  ]);
});

it('distinguishes the instance that used a token up from others', () => {
  const events = [
    { ...introspected('used', 'a', 100, 'active'), claims: true },
    introspected('used', 'a', 103, 'inactive'),
    introspected('used', 'b', 105, 'active'),
    introspected('used', 'b', 112, 'inactive'),
  ];
  expect(aftermathsOf(events, ['a', 'b'])).toEqual([
    { token: 'used', isSameNode: true, staleMs: 0, unknownMs: 2 },
    { token: 'used', isSameNode: false, staleMs: 4, unknownMs: 7 },
  ]);
});

it('starts at the first acknowledgement, and omits tokens without one', () => {
  const unknown = Number.POSITIVE_INFINITY;
  const events = [
    revoked('tried', unknown),
    revoked('tried', 10),
    revoked('tried', 40),
    revoked('tried', unknown),
    introspected('tried', 'a', 12, 'active'),
    introspected('tried', 'a', 50, 'inactive'),
    revoked('perhaps', unknown),
    introspected('perhaps', 'a', 99, 'inactive'),
  ];
  expect(aftermathsOf(events, ['a'])).toEqual([
    { token: 'tried', isSameNode: false, staleMs: 2, unknownMs: 38 },
  ]);
});

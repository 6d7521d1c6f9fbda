import type { TokenEvent } from '@vestibule/tokens/testing';
import { expect, it } from 'vitest';
import { aftermathsOf } from './aftermath.js';

type Asked = Extract<TokenEvent, { kind: 'asked' }>;

const revoked = (token: string, doneAtMs: number): TokenEvent => ({
  kind: 'revoked',
  token,
  begunAtMs: 0,
  doneAtMs,
});
const asked = (token: string, node: string, begunAtMs: number, response: Asked['response']): Asked => ({
  kind: 'asked',
  token,
  node,
  begunAtMs,
  doneAtMs: begunAtMs + 1,
  response,
});

it('gives for each revocation and instance the last wrong response and the time to the next request', () => {
  const events = [
    asked('one', 'a', 5, 'active'),
    revoked('one', 10),
    asked('one', 'a', 12, 'active'),
    asked('one', 'a', 15, 'active'),
    asked('one', 'a', 17, 'fault'),
    asked('one', 'a', 20, 'inactive'),
    asked('one', 'b', 11, 'inactive'),
    asked('one', 'b', 30, 'inactive'),
  ];
  expect(aftermathsOf(events, ['a', 'b', 'c'])).toEqual([
    { token: 'one', isSameNode: false, staleMs: 5, unknownMs: 5 },
    { token: 'one', isSameNode: false, staleMs: 0, unknownMs: 1 },
  ]);
});

it('counts a token that never becomes inactive, and none without a later request', () => {
  const events = [
    revoked('undead', 200),
    asked('undead', 'a', 150, 'active'),
    asked('undead', 'b', 204, 'active'),
    revoked('forgotten', 300),
    asked('forgotten', 'a', 299, 'active'),
    asked('forgotten', 'b', 301, 'fault'),
  ];
  expect(aftermathsOf(events, ['a', 'b'])).toEqual([
    { token: 'undead', isSameNode: false, staleMs: 4, unknownMs: Number.POSITIVE_INFINITY },
  ]);
});

it('distinguishes the instance that used a token up from others', () => {
  const events = [
    { ...asked('used', 'a', 100, 'active'), claims: true },
    asked('used', 'a', 103, 'inactive'),
    asked('used', 'b', 105, 'active'),
    asked('used', 'b', 112, 'inactive'),
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
    asked('tried', 'a', 12, 'active'),
    asked('tried', 'a', 50, 'inactive'),
    revoked('perhaps', unknown),
    asked('perhaps', 'a', 99, 'inactive'),
  ];
  expect(aftermathsOf(events, ['a'])).toEqual([
    { token: 'tried', isSameNode: false, staleMs: 2, unknownMs: 38 },
  ]);
});

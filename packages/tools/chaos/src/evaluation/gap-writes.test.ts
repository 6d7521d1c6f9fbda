import type { TokenEvent } from '@vestibule/tokens/testing';
import { expect, it } from 'vitest';
import { gapWrites } from './gap-writes.js';

const GAP = { beginMs: 100, endMs: 200 };
const issued = (token: string, doneAtMs: number): TokenEvent => ({
  kind: 'issued',
  token,
  doneAtMs,
  expiresAtMs: 9_000,
});
const revoked = (token: string, begunAtMs: number, doneAtMs: number): TokenEvent => ({
  kind: 'revoked',
  token,
  begunAtMs,
  doneAtMs,
});
const introspected = (token: string, response: 'active' | 'inactive', claims: boolean): TokenEvent => ({
  kind: 'introspected',
  token,
  node: 'a',
  begunAtMs: 150,
  doneAtMs: 151,
  response,
  claims,
});

it('finds tokens that were issued, revoked and used in a gap, and none that was only introspected', () => {
  const events = [
    issued('before', 99),
    issued('issued', 100),
    issued('after', 201),
    revoked('revoked before', 50, 99),
    revoked('revoked', 99, 101),
    revoked('revoked after', 201, 210),
    introspected('used', 'active', true),
    introspected('used before', 'inactive', true),
    introspected('read', 'active', false),
  ];
  expect(gapWrites(events, GAP)).toEqual({
    issued: new Set(['issued']),
    revoked: new Set(['revoked']),
    used: new Set(['used']),
    all: new Set(['issued', 'revoked', 'used']),
  });
});

it('excludes tokens that may have been revoked in a gap, without counting them as acknowledged', () => {
  const events = [
    revoked('unacknowledged', 150, Number.POSITIVE_INFINITY),
    revoked('acknowledged later', 199, 300),
    revoked('tried later', 201, Number.POSITIVE_INFINITY),
  ];
  const { revoked: acknowledged, all } = gapWrites(events, GAP);
  expect([acknowledged, all]).toEqual([new Set(), new Set(['unacknowledged', 'acknowledged later'])]);
});

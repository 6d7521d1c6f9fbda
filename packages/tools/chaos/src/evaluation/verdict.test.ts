import type { TokenEvent } from '@vestibule/tokens/testing';
import { expect, it } from 'vitest';
import { API_NODE } from '../test-environment/api.js';
import { verdictOn } from './verdict.js';

/** A token that is revoked at 1,000 ms, then inactive, and active again at a time. */
function resurrectedAt(node: string, atMs: number): readonly TokenEvent[] {
  const introspected = (begunAtMs: number, response: 'active' | 'inactive') =>
    ({ kind: 'introspected', token: 't', node, begunAtMs, doneAtMs: begunAtMs + 1, response }) as const;
  return [
    { kind: 'issued', token: 't', doneAtMs: 0, expiresAtMs: 100_000 },
    { kind: 'revoked', token: 't', begunAtMs: 990, doneAtMs: 1_000 },
    introspected(1_010, 'inactive'),
    introspected(atMs, 'active'),
  ];
}

it('allows an API, and no instance, to hear of a revocation from one instance and not yet from another', () => {
  const resurrected = (node: string, atMs: number) => {
    const { resurrected: count, stale } = verdictOn(resurrectedAt(node, atMs), 1_000, 0).violations;
    return [count, stale];
  };
  expect(resurrected(API_NODE, 1_999)).toEqual([0, 0]);
  expect(resurrected('a', 1_999)).toEqual([1, 0]);
  expect(resurrected(API_NODE, 2_001)).toEqual([1, 1]);
});

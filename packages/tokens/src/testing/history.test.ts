import { describe, expect, it } from 'vitest';
import { evaluateHistory, stalenessMs, type TokenEvent } from './history.js';

type Introspected = Extract<TokenEvent, { kind: 'introspected' }>;

const ISSUED: TokenEvent = { kind: 'issued', token: 't', doneAtMs: 0, expiresAtMs: 10_000 };
const REVOKED: TokenEvent = { kind: 'revoked', token: 't', begunAtMs: 90, doneAtMs: 100, node: 'a' };
const introspected = (
  begunAtMs: number,
  response: Introspected['response'],
  deviation: Partial<Introspected> = {},
): Introspected => ({
  kind: 'introspected',
  token: 't',
  node: 'b',
  begunAtMs,
  doneAtMs: begunAtMs + 1,
  response,
  ...deviation,
});
const rules = (...events: readonly TokenEvent[]) =>
  evaluateHistory([ISSUED, ...events], { staleMs: 50 }).map(({ rule }) => rule);

describe('evaluateHistory', () => {
  it('reports no violation for a correct history', () => {
    const kept = [
      introspected(1, 'active'),
      introspected(85, 'fault'),
      introspected(150, 'active'),
      introspected(151, 'inactive'),
    ];
    expect(rules(REVOKED, ...kept)).toEqual([]);
    expect(rules(introspected(10_000, 'inactive'), { ...introspected(1, 'active'), token: 'other' })).toEqual(
      [],
    );
    expect(stalenessMs([ISSUED, REVOKED, ...kept])).toEqual([50]);
  });

  it('finds active responses too late after a revocation, and any on the revoking node', () => {
    expect(rules(REVOKED, introspected(151, 'active'))).toEqual(['stale']);
    expect(rules(REVOKED, introspected(101, 'active', { node: 'a' }))).toEqual(['stale']);
    expect(rules(REVOKED, introspected(100, 'active', { node: 'a' }))).toEqual([]);
  });

  it('finds active responses too late after the expiry, if that is bounded', () => {
    const history = [ISSUED, introspected(10_050, 'active'), introspected(10_051, 'active')];
    const found = evaluateHistory(history, { staleMs: 50, expiryMs: 50 });
    expect(found).toEqual([{ rule: 'outlived', token: 't', event: history[2], byMs: 1 }]);
    expect(evaluateHistory(history, { staleMs: 50 })).toEqual([]);
  });

  it('treats an unacknowledged revocation as one that may have been executed', () => {
    const perhaps: TokenEvent = { ...REVOKED, doneAtMs: Number.POSITIVE_INFINITY };
    expect(rules(perhaps, introspected(200, 'active'), introspected(9_000, 'inactive'))).toEqual([]);
    expect(rules(perhaps, introspected(88, 'inactive'))).toEqual(['falsely inactive']);
    expect(rules(perhaps, introspected(200, 'inactive'), introspected(300, 'active'))).toEqual([
      'resurrected',
    ]);
  });

  it('finds a token that becomes active again on a node', () => {
    expect(rules(REVOKED, introspected(95, 'inactive'), introspected(120, 'active'))).toEqual([
      'resurrected',
    ]);
    expect(rules(REVOKED, introspected(95, 'inactive', { node: 'c' }), introspected(120, 'active'))).toEqual(
      [],
    );
  });

  it('finds a live token that is reported as inactive', () => {
    expect(rules(introspected(0, 'inactive'))).toEqual(['falsely inactive']);
    expect(rules(REVOKED, introspected(88, 'inactive'))).toEqual(['falsely inactive']);
    expect(rules(REVOKED, introspected(89, 'inactive'))).toEqual([]);
  });

  it('finds a token that is consumed twice, and one that is active after it was consumed', () => {
    const claim = introspected(10, 'active', { claims: true, node: 'a' });
    expect(rules(claim, introspected(12, 'inactive', { claims: true }))).toEqual([]);
    expect(rules(claim, { ...claim, begunAtMs: 11, node: 'b' })).toContain('claimed twice');
    expect(rules(claim, introspected(12, 'active', { node: 'a' }))).toEqual(['stale']);
    expect(rules(claim, introspected(62, 'active'))).toEqual(['stale']);
  });
});

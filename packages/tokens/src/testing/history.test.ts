import { describe, expect, it } from 'vitest';
import { judgeHistory, stalenessMs, type TokenEvent } from './history.js';

type Introspected = Extract<TokenEvent, { kind: 'introspected' }>;

const ISSUED: TokenEvent = { kind: 'issued', token: 't', doneAtMs: 0, expiresAtMs: 10_000 };
const REVOKED: TokenEvent = { kind: 'revoked', token: 't', begunAtMs: 90, doneAtMs: 100, node: 'a' };
const asked = (
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
  judgeHistory([ISSUED, ...events], { staleMs: 50 }).map(({ rule }) => rule);

describe('judgeHistory', () => {
  it('reports no violation for a correct history', () => {
    const kept = [asked(1, 'active'), asked(85, 'fault'), asked(150, 'active'), asked(151, 'inactive')];
    expect(rules(REVOKED, ...kept)).toEqual([]);
    expect(rules(asked(10_000, 'inactive'), { ...asked(1, 'active'), token: 'other' })).toEqual([]);
    expect(stalenessMs([ISSUED, REVOKED, ...kept])).toEqual([50]);
  });

  it('finds active responses too late after a revocation, and any on the revoking node', () => {
    expect(rules(REVOKED, asked(151, 'active'))).toEqual(['stale']);
    expect(rules(REVOKED, asked(101, 'active', { node: 'a' }))).toEqual(['stale']);
    expect(rules(REVOKED, asked(100, 'active', { node: 'a' }))).toEqual([]);
  });

  it('finds active responses too late after the expiry, if that is bounded', () => {
    const history = [ISSUED, asked(10_050, 'active'), asked(10_051, 'active')];
    const found = judgeHistory(history, { staleMs: 50, expiryMs: 50 });
    expect(found).toEqual([{ rule: 'outlived', token: 't', event: history[2], byMs: 1 }]);
    expect(judgeHistory(history, { staleMs: 50 })).toEqual([]);
  });

  it('treats an unacknowledged revocation as one that may have been executed', () => {
    const perhaps: TokenEvent = { ...REVOKED, doneAtMs: Number.POSITIVE_INFINITY };
    expect(rules(perhaps, asked(200, 'active'), asked(9_000, 'inactive'))).toEqual([]);
    expect(rules(perhaps, asked(88, 'inactive'))).toEqual(['falsely inactive']);
    expect(rules(perhaps, asked(200, 'inactive'), asked(300, 'active'))).toEqual(['resurrected']);
  });

  it('finds a token that becomes active again on a node', () => {
    expect(rules(REVOKED, asked(95, 'inactive'), asked(120, 'active'))).toEqual(['resurrected']);
    expect(rules(REVOKED, asked(95, 'inactive', { node: 'c' }), asked(120, 'active'))).toEqual([]);
  });

  it('finds a live token that is reported as inactive', () => {
    expect(rules(asked(0, 'inactive'))).toEqual(['falsely inactive']);
    expect(rules(REVOKED, asked(88, 'inactive'))).toEqual(['falsely inactive']);
    expect(rules(REVOKED, asked(89, 'inactive'))).toEqual([]);
  });

  it('finds a token that is consumed twice, and one that is active after it was consumed', () => {
    const claim = asked(10, 'active', { claims: true, node: 'a' });
    expect(rules(claim, asked(12, 'inactive', { claims: true }))).toEqual([]);
    expect(rules(claim, { ...claim, begunAtMs: 11, node: 'b' })).toContain('claimed twice');
    expect(rules(claim, asked(12, 'active', { node: 'a' }))).toEqual(['stale']);
    expect(rules(claim, asked(62, 'active'))).toEqual(['stale']);
  });
});

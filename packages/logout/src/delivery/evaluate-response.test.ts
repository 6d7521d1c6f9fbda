import { expect, it } from 'vitest';
import { evaluateResponse, type PostResponse } from './evaluate-response.js';

const failed = (reason: string, status?: number): PostResponse => ({
  outcome: 'failed',
  reason,
  status,
  retryAfterSeconds: undefined,
});
const ok = (status: number): PostResponse => ({ outcome: 'ok', status });

it('counts only 200 and 204 as delivered', () => {
  for (let status = 200; status < 300; status += 1)
    expect(evaluateResponse(ok(status)).verdict, String(status)).toBe(
      status === 200 || status === 204 ? 'delivered' : 'final',
    );
});

it('tries again after 429 and 5xx, and after no other status', () => {
  for (let status = 300; status < 700; status += 1) {
    const reason = status < 400 ? 'redirect' : 'status';
    const isTransient = status === 429 || (status >= 500 && status < 600);
    expect(evaluateResponse(failed(reason, status)).verdict, String(status)).toBe(
      isTransient ? 'retry' : 'final',
    );
  }
});

it.each(['unresolvable', 'refused', 'tls', 'timeout', 'protocol'])('tries again after %s', (reason) => {
  expect(evaluateResponse(failed(reason))).toEqual({ verdict: 'retry', error: reason });
});

it.each(['blocked', 'redirect'])('gives up after %s', (reason) => {
  expect(evaluateResponse(failed(reason)).verdict).toBe('final');
});

it.each(['aborted', 'overloaded'])('does not count %s as a failure of the client', (reason) => {
  expect(evaluateResponse(failed(reason))).toEqual({ verdict: 'released', error: reason });
});

it('passes on Retry-After', () => {
  const response = { ...failed('status', 503), retryAfterSeconds: 7 } as PostResponse;
  expect(evaluateResponse(response)).toEqual({
    verdict: 'retry',
    error: 'status',
    status: 503,
    retryAfterSeconds: 7,
  });
});

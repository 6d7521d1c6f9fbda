import { setImmediate as turn } from 'node:timers/promises';
import type { PolicyRequest, RegistrationPolicy } from '@vestibule/clients/policy';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { policyWithTimeout } from './policy-timeout.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const REQUEST: PolicyRequest = { authority: 'anonymous', metadata: { client_name: 'One' } };
const LATE = new Error('the registration policy took too long to decide');

/** The outcome of a policy that settles after the given time in milliseconds. */
async function outcomeAfter(ms: number, settle: 'decides' | 'fails') {
  const evaluate: RegistrationPolicy['evaluate'] = ({ metadata }) =>
    new Promise((resolve, reject) => {
      setTimeout(() => (settle === 'decides' ? resolve(metadata) : reject(new Error('away'))), ms);
    });
  const outcome = Promise.resolve(policyWithTimeout({ evaluate }).evaluate(REQUEST)).catch(
    (error: unknown) => error,
  );
  await vi.advanceTimersByTimeAsync(ms);
  expect(vi.getTimerCount()).toBe(0);
  return outcome;
}

it('waits 5 seconds for a decision and ignores a later one', async () => {
  expect(await outcomeAfter(4_999, 'decides')).toEqual(REQUEST.metadata);
  expect(await outcomeAfter(4_999, 'fails')).toEqual(new Error('away'));
  expect(await outcomeAfter(5_001, 'decides')).toEqual(LATE);
  expect(await outcomeAfter(5_001, 'fails')).toEqual(LATE);
});

it('returns every other result of the policy unchanged', async () => {
  class Company implements RegistrationPolicy {
    readonly #name = 'Company';
    defaults() {
      return { client_name: this.#name };
    }
    evaluate(): never {
      throw new RangeError(this.#name);
    }
  }
  const limited = policyWithTimeout(new Company());
  expect(limited.defaults?.(REQUEST)).toEqual({ client_name: 'Company' });
  await expect(limited.evaluate(REQUEST)).rejects.toEqual(new RangeError('Company'));
  // Timers are cancelled at the end of the turn.
  await turn();
  expect(vi.getTimerCount()).toBe(0);
  expect(policyWithTimeout({ evaluate: ({ metadata }) => metadata }).defaults?.(REQUEST)).toEqual({});
});

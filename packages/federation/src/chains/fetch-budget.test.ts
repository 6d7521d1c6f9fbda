import { getEventListeners } from 'node:events';
import { frozenClock } from '@vestibule/protocol/testing';
import { describe, expect, it } from 'vitest';
import { DEFAULT_DISCOVERY_LIMITS } from './discovery-ports.js';
import { abortedOr, createFetchBudget } from './fetch-budget.js';

/** A signal that is never aborted. */
const neverAborted = () => new AbortController().signal;

describe('createFetchBudget', () => {
  it('permits exactly the configured number of fetches', () => {
    const limits = { ...DEFAULT_DISCOVERY_LIMITS, maxFetches: 2 };
    const budget = createFetchBudget({ clock: frozenClock(), limits, signal: neverAborted() });
    budget.take();
    budget.take();
    expect(() => budget.take()).toThrow('used up');
    expect(budget.taken()).toBe(2);
  });

  it('permits none from the deadline on', () => {
    const clock = frozenClock();
    const budget = createFetchBudget({ clock, limits: DEFAULT_DISCOVERY_LIMITS, signal: neverAborted() });
    clock.advanceSeconds(4.499);
    expect(() => budget.take()).not.toThrow();
    clock.advanceSeconds(0.001);
    expect(() => budget.take()).toThrow('the time of the resolution');
  });

  it('permits none once the resolution is aborted', () => {
    const budget = createFetchBudget({
      clock: frozenClock(),
      limits: DEFAULT_DISCOVERY_LIMITS,
      signal: AbortSignal.abort(),
    });
    expect(() => budget.take()).toThrow('the time of the resolution');
  });
});

describe('abortedOr', () => {
  it('returns the result of the promise, or passes on its error, if nothing is aborted', async () => {
    const signal = neverAborted();
    expect(await abortedOr(Promise.resolve(1), signal)).toBe(1);
    await expect(abortedOr(Promise.reject(new Error('bug')), signal)).rejects.toThrow('bug');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('does not wait for a promise once the resolution is aborted, before or during the wait', async () => {
    const never = new Promise(() => {});
    await expect(abortedOr(never, AbortSignal.abort())).rejects.toMatchObject({ reason: 'time_budget' });
    const controller = new AbortController();
    const waiting = abortedOr(never, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ reason: 'time_budget' });
  });
});

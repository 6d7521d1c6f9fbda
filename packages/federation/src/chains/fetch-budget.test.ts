import { getEventListeners } from 'node:events';
import { frozenClock } from '@vestibule/protocol/testing';
import { describe, expect, it } from 'vitest';
import { DEFAULT_DISCOVERY_LIMITS } from './discovery-ports.js';
import { abortedOr, createFetchBudget } from './fetch-budget.js';

/** One that nobody aborts, of the test's own. */
const neverAborted = () => new AbortController().signal;

describe('createFetchBudget', () => {
  it('gives exactly as many fetches as it has', () => {
    const limits = { ...DEFAULT_DISCOVERY_LIMITS, maxFetches: 2 };
    const budget = createFetchBudget({ clock: frozenClock(), limits, signal: neverAborted() });
    budget.take();
    budget.take();
    expect(() => budget.take()).toThrow('used up');
    expect(budget.taken()).toBe(2);
  });

  it('gives none from the moment on that the time is up', () => {
    const clock = frozenClock();
    const budget = createFetchBudget({ clock, limits: DEFAULT_DISCOVERY_LIMITS, signal: neverAborted() });
    clock.advanceSeconds(4.499);
    expect(() => budget.take()).not.toThrow();
    clock.advanceSeconds(0.001);
    expect(() => budget.take()).toThrow('the time of the resolution');
  });

  it('gives none once the resolution is called off', () => {
    const budget = createFetchBudget({
      clock: frozenClock(),
      limits: DEFAULT_DISCOVERY_LIMITS,
      signal: AbortSignal.abort(),
    });
    expect(() => budget.take()).toThrow('the time of the resolution');
  });
});

describe('abortedOr', () => {
  it('gives what the promise gives, or passes on what it throws, when nothing is called off', async () => {
    const signal = neverAborted();
    expect(await abortedOr(Promise.resolve(1), signal)).toBe(1);
    await expect(abortedOr(Promise.reject(new Error('bug')), signal)).rejects.toThrow('bug');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('does not wait for a promise once it is called off, before or meanwhile', async () => {
    const never = new Promise(() => {});
    await expect(abortedOr(never, AbortSignal.abort())).rejects.toMatchObject({ reason: 'time_budget' });
    const controller = new AbortController();
    const waiting = abortedOr(never, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ reason: 'time_budget' });
  });
});

import { describe, expect, it } from 'vitest';
import { createBudget, type Release } from './budget.js';
import { EgressFault } from './egress-fault.js';

const LIMITS = {
  maxConcurrent: 3,
  maxConcurrentPerOrigin: 2,
  maxConcurrentUnanswered: 3,
  maxQueued: 4,
  maxQueuedPerOrigin: 2,
  maxQueuedUnanswered: 4,
};
const never = new AbortController().signal;

async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => (error instanceof EgressFault ? error.reason : error),
  );
}

/** Runs everything that is ready. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('createBudget', () => {
  it('never runs more requests than the limit per origin or the overall limit', async () => {
    const budget = createBudget(LIMITS);
    const order: string[] = [];
    const releases: Release[] = [];
    const enter = (host: string, label: string) =>
      budget.acquire(host, never).then((release) => {
        order.push(label);
        releases.push(release);
      });
    const all = [enter('a', 'a1'), enter('a', 'a2'), enter('a', 'a3'), enter('b', 'b1'), enter('c', 'c1')];
    await turn();
    expect(order).toEqual(['a1', 'a2', 'b1']);
    releases[2]?.(true);
    await turn();
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1']);
    releases[0]?.(false);
    await turn();
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
    await Promise.all(all);
  });

  it('refuses at once when the queue, or the share of one origin in it, is full', async () => {
    const budget = createBudget(LIMITS);
    const end = new AbortController();
    for (const host of ['a', 'a', 'b']) await budget.acquire(host, never);
    const waiting = ['a', 'a'].map((host) => reasonOf(budget.acquire(host, end.signal)));
    expect(await reasonOf(budget.acquire('a', never))).toBe('overloaded');
    waiting.push(...['c', 'd'].map((host) => reasonOf(budget.acquire(host, end.signal))));
    expect(await reasonOf(budget.acquire('e', never))).toBe('overloaded');
    end.abort(new EgressFault('timeout'));
    expect(await Promise.all(waiting)).toEqual(Array(4).fill('overloaded'));
  });

  it('reports whether the deadline or the caller ended the wait, and removes the request from the queue', async () => {
    const budget = createBudget({ ...LIMITS, maxConcurrentPerOrigin: 1 });
    const release = await budget.acquire('a', never);
    const late = new AbortController();
    const gone = new AbortController();
    const waiting = [late, gone].map(({ signal }) => reasonOf(budget.acquire('a', signal)));
    late.abort(new EgressFault('timeout'));
    gone.abort(new EgressFault('aborted'));
    expect(await Promise.all(waiting)).toEqual(['overloaded', 'aborted']);
    release(true);
    expect(await reasonOf(budget.acquire('a', never))).toBeUndefined();
    expect(await reasonOf(budget.acquire('b', gone.signal))).toBe('aborted');
  });

  it('limits origins that have never responded to a part of the slots and of the queue', async () => {
    const limits = { ...LIMITS, maxConcurrentUnanswered: 1, maxQueued: 3, maxQueuedUnanswered: 1 };
    const budget = createBudget(limits);
    (await budget.acquire('known', never))(true);
    const dead = await budget.acquire('dead', never);
    const order: string[] = [];
    const waiting = budget.acquire('dead too', never).then((release) => {
      order.push('dead too');
      return release;
    });
    expect(await reasonOf(budget.acquire('dead as well', never))).toBe('overloaded');
    const releases = [await budget.acquire('known', never), await budget.acquire('known', never)];
    await turn();
    expect(order).toEqual([]);
    dead(false);
    (await waiting)(false);
    for (const release of releases) release(true);
  });

  it('admits all requests that wait for an origin as soon as it has responded', async () => {
    const budget = createBudget({ ...LIMITS, maxConcurrentUnanswered: 1 });
    const release = await budget.acquire('a', never);
    const waiting = [budget.acquire('a', never), budget.acquire('a', never)];
    release(true);
    for (const admitted of await Promise.all(waiting)) admitted(true);
  });
});

import { describe, expect, it } from 'vitest';
import { createBudget, type Leave } from './budget.js';
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

/** Lets everything that is ready happen. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('createBudget', () => {
  it('never runs more than the limit of a host, nor more than the limit of all', async () => {
    const budget = createBudget(LIMITS);
    const order: string[] = [];
    const leaves: Leave[] = [];
    const enter = (host: string, label: string) =>
      budget.enter(host, never).then((leave) => {
        order.push(label);
        leaves.push(leave);
      });
    const all = [enter('a', 'a1'), enter('a', 'a2'), enter('a', 'a3'), enter('b', 'b1'), enter('c', 'c1')];
    await turn();
    expect(order).toEqual(['a1', 'a2', 'b1']);
    leaves[2]?.(true);
    await turn();
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1']);
    leaves[0]?.(false);
    await turn();
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
    await Promise.all(all);
  });

  it('refuses at once when the queue, or the part of one host in it, is full', async () => {
    const budget = createBudget(LIMITS);
    const end = new AbortController();
    for (const host of ['a', 'a', 'b']) await budget.enter(host, never);
    const waiting = ['a', 'a'].map((host) => reasonOf(budget.enter(host, end.signal)));
    expect(await reasonOf(budget.enter('a', never))).toBe('overloaded');
    waiting.push(...['c', 'd'].map((host) => reasonOf(budget.enter(host, end.signal))));
    expect(await reasonOf(budget.enter('e', never))).toBe('overloaded');
    end.abort(new EgressFault('timeout'));
    expect(await Promise.all(waiting)).toEqual(Array(4).fill('overloaded'));
  });

  it('says whether the deadline or the caller ended the waiting, and forgets who left', async () => {
    const budget = createBudget({ ...LIMITS, maxConcurrentPerOrigin: 1 });
    const leave = await budget.enter('a', never);
    const late = new AbortController();
    const gone = new AbortController();
    const waiting = [late, gone].map(({ signal }) => reasonOf(budget.enter('a', signal)));
    late.abort(new EgressFault('timeout'));
    gone.abort(new EgressFault('aborted'));
    expect(await Promise.all(waiting)).toEqual(['overloaded', 'aborted']);
    leave(true);
    expect(await reasonOf(budget.enter('a', never))).toBeUndefined();
    expect(await reasonOf(budget.enter('b', gone.signal))).toBe('aborted');
  });

  it('keeps room for origins that have answered, and lets those that never did run and wait in a part of it', async () => {
    const limits = { ...LIMITS, maxConcurrentUnanswered: 1, maxQueued: 3, maxQueuedUnanswered: 1 };
    const budget = createBudget(limits);
    (await budget.enter('known', never))(true);
    const dead = await budget.enter('dead', never);
    const order: string[] = [];
    const waiting = budget.enter('dead too', never).then((leave) => {
      order.push('dead too');
      return leave;
    });
    expect(await reasonOf(budget.enter('dead as well', never))).toBe('overloaded');
    const leaves = [await budget.enter('known', never), await budget.enter('known', never)];
    await turn();
    expect(order).toEqual([]);
    dead(false);
    (await waiting)(false);
    for (const leave of leaves) leave(true);
  });

  it('admits all who wait for an origin as soon as it has answered', async () => {
    const budget = createBudget({ ...LIMITS, maxConcurrentUnanswered: 1 });
    const leave = await budget.enter('a', never);
    const waiting = [budget.enter('a', never), budget.enter('a', never)];
    leave(true);
    for (const admitted of await Promise.all(waiting)) admitted(true);
  });
});

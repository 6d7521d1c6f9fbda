import { describe, expect, it } from 'vitest';
import { IntrospectionFailure } from './introspection-failure.js';
import { requestSlots } from './request-slots.js';

/** Slots whose waiters give up, and whose requests end, when the test says so. */
function controlledSlots(limits: { readonly maxConcurrent: number; readonly maxWaiting: number }) {
  const timers = new Set<() => void>();
  const delays: number[] = [];
  const after = (delayMs: number, run: () => void) => {
    delays.push(delayMs);
    timers.add(run);
    return () => void timers.delete(run);
  };
  const slots = requestSlots({ ...limits, maxWaitMs: 700 }, { after });
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const run = (name: string) =>
    slots.run(
      () =>
        new Promise<string>((resolve, reject) => {
          started.push(name);
          ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
        }),
    );
  const giveUp = () => {
    for (const timer of [...timers]) {
      timers.delete(timer);
      timer();
    }
  };
  return {
    run,
    started,
    end: (name: string, error?: Error) => ends.get(name)?.(error),
    giveUp,
    timers,
    delays,
  };
}

const OVERLOADED = { name: IntrospectionFailure.name, reason: 'overloaded', retryAfterSeconds: undefined };

describe('requestSlots', () => {
  it('runs waiting requests in order of arrival, each in a slot that another one left', async () => {
    const { run, started, end, timers } = controlledSlots({ maxConcurrent: 2, maxWaiting: 10 });
    const results = ['a', 'b', 'c', 'd'].map(run);
    await settled();
    expect(started).toEqual(['a', 'b']);
    end('b');
    await settled();
    expect(started).toEqual(['a', 'b', 'c']);
    end('a', new Error('broken'));
    await expect(results[0]).rejects.toThrow('broken');
    await settled();
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    expect(timers.size).toBe(0);
    end('c');
    end('d');
    expect(await Promise.all(results.slice(1))).toEqual(['b', 'c', 'd']);
    void [run('e'), run('f'), run('g')];
    await settled();
    expect(started.slice(4)).toEqual(['e', 'f']);
  });

  it('refuses a request that waited for too long, and gives its slot to a later one', async () => {
    const { run, started, end, giveUp, delays } = controlledSlots({ maxConcurrent: 1, maxWaiting: 10 });
    const [first, late] = [run('a'), run('b')];
    await settled();
    giveUp();
    await expect(late).rejects.toMatchObject(OVERLOADED);
    expect(delays).toEqual([700]);
    const next = run('c');
    end('a');
    expect(await first).toBe('a');
    await settled();
    end('c');
    expect(await next).toBe('c');
    expect(started).toEqual(['a', 'c']);
  });

  it('refuses a request at once when too many wait', async () => {
    const { run, started, end } = controlledSlots({ maxConcurrent: 1, maxWaiting: 1 });
    const accepted = [run('a'), run('b')];
    await expect(run('c')).rejects.toMatchObject(OVERLOADED);
    end('a');
    await settled();
    end('b');
    expect(await Promise.all(accepted)).toEqual(['a', 'b']);
    expect(started).toEqual(['a', 'b']);
  });
});

/** Waits until every promise that can settle has settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

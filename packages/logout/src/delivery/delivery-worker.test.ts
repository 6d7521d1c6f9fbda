import type { ClientId } from '@vestibule/protocol';
import { seededRandom } from '@vestibule/protocol/testing';
import { expect, it, onTestFinished } from 'vitest';
import type { ClaimedDeliveries, DeliveryClaim } from './delivery-outbox.js';
import { type DeliveryBounds, startDeliveryWorker } from './delivery-worker.js';
import type { AttemptOutcome } from './evaluate-response.js';
import type { ClaimedDelivery, DeliveryResult } from './logout-delivery.js';

const BOUNDS: DeliveryBounds = {
  concurrency: 2,
  slow: 1,
  perHost: 4,
  leaseMs: 20_000,
  pollMs: 1_000,
  maxAgeMs: 60_000,
  stopMs: 2_000,
};

const delivery = (id: string, deviation: Partial<ClaimedDelivery> = {}): ClaimedDelivery => ({
  id,
  clientId: 'client' as ClientId,
  uri: `https://${id}.example/`,
  host: `${id}.example`,
  attempt: 1,
  ageMs: 0,
  ...deviation,
});

/** Waits until everything that is pending now is done. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A worker over an in-memory outbox, with a clock that the test advances. */
function aWorker({ bounds = {}, failures = 0, claimMs = 0 } = {}) {
  let nowMs = 0;
  let planned: { readonly atMs: number; readonly run: () => void }[] = [];
  const waiting: ClaimedDelivery[] = [];
  const claims: DeliveryClaim[] = [];
  const results: DeliveryResult[] = [];
  const problems: unknown[] = [];
  const attempts = new Map<string, (outcome: AttemptOutcome) => void>();
  let failuresLeft = failures;
  let next: ClaimedDeliveries['next'];
  const worker = startDeliveryWorker({
    outbox: {
      claim: async (claim) => {
        claims.push(claim);
        nowMs += claimMs;
        const deliveries = waiting.splice(0, claim.limit);
        const claimed = { deliveries, ...(next && { next }) };
        next = undefined;
        return claimed;
      },
      settle: async (batch) => {
        failuresLeft -= 1;
        if (failuresLeft >= 0) throw new Error('the outbox is unavailable');
        results.push(...batch);
      },
    },
    attempt: ({ id }, signal) =>
      new Promise((resolve) => {
        attempts.set(id, resolve);
        signal.addEventListener('abort', () => resolve({ verdict: 'released', error: 'aborted' }));
      }),
    bounds: { ...BOUNDS, ...bounds },
    monotonic: () => nowMs,
    scheduler: {
      after: (delayMs, run) => {
        const plan = { atMs: nowMs + delayMs, run };
        planned.push(plan);
        return () => {
          planned = planned.filter((each) => each !== plan);
        };
      },
    },
    random: seededRandom(),
    onProblem: (error) => problems.push(error),
  });
  const pass = async (ms: number) => {
    nowMs += ms;
    const due = planned.filter(({ atMs }) => atMs <= nowMs);
    planned = planned.filter(({ atMs }) => atMs > nowMs);
    for (const { run } of due) run();
    await settled();
  };
  onTestFinished(async () => {
    const stopping = worker.stop();
    await settled();
    for (let round = 0; round < 100; round += 1) await pass(BOUNDS.stopMs);
    await stopping;
  });
  const queue = async (...deliveries: ClaimedDelivery[]) => {
    waiting.push(...deliveries);
    worker.wake();
    await settled();
  };
  const end = async (id: string, outcome: AttemptOutcome) => {
    attempts.get(id)?.(outcome);
    await settled();
  };
  return {
    worker,
    claims,
    results,
    problems,
    pass,
    queue,
    end,
    underWay: () => [...attempts.keys()],
    cutOffNext: (position: ClaimedDeliveries['next']) => {
      next = position;
    },
  };
}

const DELIVERED: AttemptOutcome = { verdict: 'delivered', status: 200 };

it('claims no more deliveries than it has slots, and continues when one becomes free', async () => {
  const { queue, underWay, end, results } = aWorker();
  await queue(delivery('a'), delivery('b'), delivery('c'), delivery('d'));
  expect(underWay()).toEqual(['a', 'b']);
  await end('b', DELIVERED);
  expect(underWay()).toEqual(['a', 'b', 'c']);
  expect(results).toEqual([{ id: 'b', attempt: 1, state: 'delivered', waitMs: 0, status: 200 }]);
});

it('gives the slot of a slow delivery to another one, up to the limit of slow deliveries', async () => {
  const { queue, underWay, pass, end } = aWorker();
  await queue(delivery('a'), delivery('b'), delivery('c'), delivery('d'));
  await pass(999);
  expect(underWay()).toHaveLength(2);
  await pass(1);
  expect(underWay()).toEqual(['a', 'b', 'c']);
  await pass(5_000);
  expect(underWay()).toEqual(['a', 'b', 'c']);
  await end('a', DELIVERED);
  expect(underWay()).toEqual(['a', 'b', 'c']);
  await pass(1_000);
  await end('b', DELIVERED);
  expect(underWay()).toEqual(['a', 'b', 'c', 'd']);
});

it('releases deliveries that it could not start, before their lease ends', async () => {
  const { queue, underWay, results } = aWorker({ claimMs: 10_001 });
  await queue(delivery('a'));
  expect(underWay()).toEqual([]);
  expect(results).toEqual([{ id: 'a', attempt: 1, state: 'pending', waitMs: 0, error: 'late' }]);
});

it('stores a result as soon as an unavailable outbox is back', async () => {
  const { queue, end, results, problems, pass } = aWorker({ failures: 2 });
  await queue(delivery('a'));
  await end('a', DELIVERED);
  expect(results).toEqual([]);
  await pass(250);
  await pass(250);
  expect(results).toMatchObject([{ id: 'a', state: 'delivered' }]);
  expect(problems).toHaveLength(2);
});

it('polls for deliveries at intervals without being woken', async () => {
  const { claims, pass } = aWorker();
  await settled();
  const before = claims.length;
  for (let round = 1; round <= 3; round += 1) {
    await pass(1_000);
    expect(claims).toHaveLength(before + round);
  }
});

it('continues at once from the position at which an incomplete claim ended', async () => {
  const { claims, worker, cutOffNext } = aWorker();
  await settled();
  const before = claims.length;
  cutOffNext({ host: 'm', clientId: 'c' });
  worker.wake();
  await settled();
  expect(claims.slice(before).map(({ from }) => from)).toEqual([undefined, { host: 'm', clientId: 'c' }]);
});

it('passes the free slots of each client and host to the outbox', async () => {
  const { claims, queue, end, worker } = aWorker();
  await queue(delivery('a'));
  worker.wake();
  await settled();
  expect(claims.at(-1)).toMatchObject({
    slotsOfHost: 4,
    slotsOfTarget: 1,
    hosts: [{ host: 'a.example', slots: 3 }],
    targets: [{ host: 'a.example', clientId: 'client', slots: 0 }],
  });
  await end('a', DELIVERED);
  worker.wake();
  await settled();
  expect(claims.at(-1)).toMatchObject({ hosts: [], targets: [{ host: 'a.example', slots: 2 }] });
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await queue(delivery('a'));
    await end('a', { verdict: 'retry', status: 503, error: 'status' });
  }
  expect(claims.at(-1)).toMatchObject({ hosts: [], targets: [{ host: 'a.example', slots: 0 }] });
});

it('gives the slot of a slow delivery to the other clients of its host', async () => {
  const { claims, queue, pass } = aWorker();
  await queue(delivery('a'), delivery('b', { host: 'a.example', clientId: 'other' as ClientId }));
  await pass(1_000);
  expect(claims.at(-1)).toMatchObject({
    hosts: [{ host: 'a.example', slots: 4 }],
    targets: [{ slots: 0 }, { slots: 0 }],
  });
});

it('retries within the maximum age, and gives up on final failures', async () => {
  const { queue, end, results } = aWorker();
  await queue(delivery('young'), delivery('old', { ageMs: 60_001 }));
  await end('young', { verdict: 'retry', status: 503, error: 'status', retryAfterSeconds: 5 });
  await end('old', { verdict: 'retry', error: 'timeout' });
  await queue(delivery('gone'), delivery('busy'));
  await end('gone', { verdict: 'final', status: 410, error: 'status' });
  await end('busy', { verdict: 'released', error: 'overloaded' });
  const [young, ...others] = results;
  expect(young).toMatchObject({ id: 'young', state: 'pending', status: 503 });
  expect(young?.waitMs).toBeGreaterThanOrEqual(5_000);
  expect(others).toMatchObject([
    { id: 'old', state: 'dead', error: 'timeout' },
    { id: 'gone', state: 'dead', status: 410 },
    { id: 'busy', state: 'pending', waitMs: 250 },
  ]);
});

it('stops when the deliveries under way have ended, and aborts them if that takes too long', async () => {
  const { worker, queue, pass, results, claims } = aWorker();
  await queue(delivery('a'));
  let isStopped = false;
  const stopping = worker.stop().then(() => {
    isStopped = true;
  });
  await settled();
  const before = claims.length;
  await queue(delivery('b'));
  expect([isStopped, claims.length]).toEqual([false, before]);
  await pass(2_000);
  await stopping;
  expect(results).toEqual([{ id: 'a', attempt: 1, state: 'pending', waitMs: 0, error: 'aborted' }]);
});

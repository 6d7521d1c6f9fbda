import type { Change, ChangeDeliveries } from '@vestibule/tokens/changes';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type ChangeDeliveryOptions, startChangeDelivery } from '../../src/changes/deliver-changes.js';
import { buildTestApp, type TestApp } from '../support/build-test-app.js';
import { NO_CONTENT, post } from '../support/calls.js';

/** Timeout for expected events, in milliseconds, long enough for a busy machine. */
const EVENTUALLY = { timeout: 60_000, interval: 10 };

/** Shorter than in production, so that another process takes over soon. */
const LEASE_MS = 3_000;

const live = () => buildTestApp({}, false, true);
const revoke = async ({ app }: TestApp, ...subs: readonly string[]) => {
  for (const sub of subs) expect(await post(app, '/direct-authz/revoke', { sub })).toEqual(NO_CONTENT);
};
const nameOf = ({ members, type }: Change) => String(members['sub'] ?? type);
const deliveriesOf = ({ store }: TestApp) => store.database.changeDeliveries('test');

/** Starts a process that delivers to the receiver of the test. */
function start(service: TestApp, sent: string[], options: Partial<ChangeDeliveryOptions> = {}) {
  return startChangeDelivery({
    follow: service.deps.followChanges,
    deliveries: deliveriesOf(service),
    send: async (change) => {
      sent.push(nameOf(change));
      return { isAccepted: true };
    },
    random: { bytes: (length) => new Uint8Array(length) },
    monotonic: () => performance.now(),
    leaseMs: LEASE_MS,
    onProblem: () => undefined,
    ...options,
  });
}

/** Starts a process that stops when the test ends. */
function aProcess(...values: Parameters<typeof start>) {
  const delivery = start(...values);
  onTestFinished(delivery.stop);
  return delivery;
}

/** A store that gets nothing more from a process after some accepted changes, as if the process was killed. */
function untilKilled(count: number, deliveries: ChangeDeliveries): ChangeDeliveries {
  const never = new Promise<never>(() => undefined);
  let accepted = 0;
  return {
    take: deliveries.take,
    renew: (...values) => (accepted > count ? never : deliveries.renew(...values)),
    advance: (...values) => {
      accepted += 1;
      return accepted > count ? never : deliveries.advance(...values);
    },
    release: () => never,
  };
}

it('sends a change again that was accepted when the process was killed', async () => {
  const service = await live();
  const sent: string[] = [];
  const ids: string[] = [];
  const send: ChangeDeliveryOptions['send'] = async (change) => {
    sent.push(nameOf(change));
    ids.push(change.id);
    return { isAccepted: true };
  };
  start(service, sent, { send, monotonic: () => 0, deliveries: untilKilled(2, deliveriesOf(service)) });
  await vi.waitFor(() => expect(sent).toEqual(['reset']), EVENTUALLY);
  await revoke(service, 'a', 'b', 'c');
  await vi.waitFor(() => expect(sent).toEqual(['reset', 'a', 'b']), EVENTUALLY);
  aProcess(service, sent, { send });
  await vi.waitFor(() => expect(sent).toEqual(['reset', 'a', 'b', 'b', 'c']), EVENTUALLY);
  expect(ids[3]).toBe(ids[2]);
});

it('sends nothing more and stores nothing after another process has taken over', async () => {
  const service = await live();
  const deliveries = deliveriesOf(service);
  const sent: string[] = [];
  let resume: () => void = () => undefined;
  const paused = new Promise<void>((resolve) => {
    resume = resolve;
  });
  let isPaused = false;
  const slow = aProcess(service, sent, {
    // It does not know how long it was paused.
    monotonic: () => 0,
    deliveries: {
      ...deliveries,
      renew: async (...values) => {
        if (isPaused) await paused;
        return deliveries.renew(...values);
      },
    },
    send: async (change) => {
      if (isPaused) await paused;
      sent.push(`slow ${nameOf(change)}`);
      return { isAccepted: true };
    },
  });
  await vi.waitFor(() => expect(sent).toEqual(['slow reset']), EVENTUALLY);
  isPaused = true;
  await revoke(service, 'a', 'b');
  await vi.waitFor(() => expect(slow.waiting()).toBeDefined(), EVENTUALLY);
  const other = aProcess(service, sent);
  await vi.waitFor(() => expect(sent).toEqual(['slow reset', 'a', 'b']), EVENTUALLY);
  await other.stop();
  isPaused = false;
  resume();
  await revoke(service, 'c');
  await vi.waitFor(() => expect(sent).toContain('slow c'), EVENTUALLY);
  expect(sent).toEqual(['slow reset', 'a', 'b', 'slow a', 'slow c']);
});

it('keeps the lease while a receiver makes it wait, until it stops', async () => {
  const service = await live();
  const deliveries = deliveriesOf(service);
  const sent: string[] = [];
  const refused = aProcess(service, sent, {
    send: async (change) => {
      sent.push(`refused ${nameOf(change)}`);
      return { isAccepted: false, retryAfterSeconds: 3_600 };
    },
  });
  await vi.waitFor(() => expect(sent).toEqual(['refused reset']), EVENTUALLY);
  let tries = 0;
  const take: ChangeDeliveries['take'] = (...values) => {
    tries += 1;
    return deliveries.take(...values);
  };
  aProcess(service, sent, { deliveries: { ...deliveries, take } });
  // Three in each lease.
  await vi.waitFor(() => expect(tries).toBeGreaterThan(4), EVENTUALLY);
  expect(sent).toEqual(['refused reset']);
  await refused.stop();
  await vi.waitFor(() => expect(sent).toEqual(['refused reset', 'reset']), EVENTUALLY);
});

it('continues by itself after the store was away', async () => {
  const service = await live();
  const deliveries = deliveriesOf(service);
  const sent: string[] = [];
  const problems: unknown[] = [];
  let isAway = false;
  const reached =
    <Values extends unknown[], Result>(call: (...values: Values) => Promise<Result>) =>
    async (...values: Values) => {
      if (isAway) throw new Error('the store is away');
      return call(...values);
    };
  aProcess(service, sent, {
    deliveries: {
      take: reached(deliveries.take),
      renew: reached(deliveries.renew),
      advance: reached(deliveries.advance),
      release: reached(deliveries.release),
    },
    onProblem: (error) => problems.push(error),
  });
  await vi.waitFor(() => expect(sent).toEqual(['reset']), EVENTUALLY);
  isAway = true;
  await revoke(service, 'a');
  await vi.waitFor(() => expect(problems.length).toBeGreaterThan(1), EVENTUALLY);
  isAway = false;
  await revoke(service, 'b');
  await vi.waitFor(() => expect(sent.at(-1)).toBe('b'), EVENTUALLY);
  expect(sent.filter((name, index) => name !== sent[index - 1])).toEqual(['reset', 'a', 'b']);
});

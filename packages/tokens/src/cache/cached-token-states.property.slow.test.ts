import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateHistory } from '../testing/history.js';
import { calm, type SimulatedCluster, simulatedCluster, turnsPass } from '../testing/simulated-cluster.js';

const TOKENS = ['t0', 't1', 't2'];
/** The last one is issued during the run, if at all. */
const ISSUED_BEFORE = TOKENS.slice(0, 2);

/** A step; numbers select instance, token and variant. */
interface Step {
  readonly what: keyof typeof HAPPENINGS;
  readonly instance: number;
  readonly token: number;
  readonly how: number;
}

const PASSES_MS = [1, 20, 99, 260, 700, 1_100, 3_000];
const READ_FATES = ['early', 'late', 'early', 'fault'] as const;
const COMMAND_FATES = ['done', 'done', 'lost', 'unanswered'] as const;

const pick = <Value>(values: readonly Value[], index: number): Value => {
  const value = values[index % values.length];
  if (value === undefined) throw new TypeError('there is nothing to pick');
  return value;
};

/** All possible steps. */
const HAPPENINGS = {
  pass: ({ time }: SimulatedCluster, { how }: Step) => time.pass(pick(PASSES_MS, how)),
  introspect: (cluster: SimulatedCluster, step: Step) =>
    void cluster.introspect(pick(cluster.instances, step.instance), pick(TOKENS, step.token)),
  beat: ({ instances }: SimulatedCluster, { instance }: Step) => pick(instances, instance).stream.beat(),
  deliver: ({ instances }: SimulatedCluster, { instance, how }: Step) =>
    pick(instances, instance).stream.deliver(how),
  endRead: ({ instances }: SimulatedCluster, { instance, how }: Step) =>
    pick(instances, instance).store.end(pick(READ_FATES, how)),
  /** A later read can end before an earlier one. */
  endNewestRead: ({ instances }: SimulatedCluster, { instance, how }: Step) =>
    pick(instances, instance).store.endNewest(pick(READ_FATES, how)),
  command: ({ instances }: SimulatedCluster, { instance, how }: Step) =>
    pick(instances, instance).shared?.step(1 + (how % 2), pick(COMMAND_FATES, how)),
  revoke: (cluster: SimulatedCluster, { token }: Step) => void cluster.revoke(pick(TOKENS, token)),
  revokeHere: (cluster: SimulatedCluster, { instance, token }: Step) =>
    void cluster.revoke(pick(TOKENS, token), pick(cluster.instances, instance)),
  claim: (cluster: SimulatedCluster, { instance, token }: Step) =>
    void cluster.claim(pick(cluster.instances, instance), pick(TOKENS, token)),
  lose: ({ instances }: SimulatedCluster, { instance }: Step) => pick(instances, instance).stream.lose(),
  start: ({ instances }: SimulatedCluster, { instance }: Step) => pick(instances, instance).stream.start(),
  issue: (cluster: SimulatedCluster) => {
    if (!cluster.history.some(({ kind, token }) => kind === 'issued' && token === 't2')) cluster.issue('t2');
  },
  /** Invalidation events are lost, and the stream recovers. */
  gap: (cluster: SimulatedCluster, step: Step) => {
    const { stream } = pick(cluster.instances, step.instance);
    stream.lose();
    if (step.how % 2 === 0) void cluster.revoke(pick(TOKENS, step.token));
    stream.start();
    stream.beat();
    stream.deliver(1);
  },
  flush: ({ sharedServer }: SimulatedCluster) => sharedServer.flush(),
} as const;

/** Time passes, and the watermark of one instance keeps advancing. */
const keepProving = async ({ instances, time }: SimulatedCluster) => {
  time.pass(400);
  for (const { stream } of instances) {
    stream.beat();
    stream.deliver(stream.waiting);
  }
};

const COMMON = ['pass', 'introspect', 'beat', 'deliver', 'endRead', 'command'] as const;
const ANY = Object.keys(HAPPENINGS) as readonly (keyof typeof HAPPENINGS)[];

function steps(of: readonly (keyof typeof HAPPENINGS)[]): fc.Arbitrary<Step[]> {
  const step = fc.record({
    what: fc.constantFrom(...of),
    instance: fc.nat(1),
    token: fc.nat(2),
    how: fc.nat(6),
  });
  return fc.array(step, { minLength: 5, maxLength: 80, size: 'max' });
}

/** Clocks with errors within their uncertainty. */
const AHEAD_MS = fc.constantFrom(
  [0, 0] as const,
  [3, -3] as const,
  [50, 0] as const,
  [-400, 300] as const,
  [900, -900] as const,
);

async function play(cluster: SimulatedCluster, script: readonly Step[], between: () => Promise<void>) {
  for (const token of ISSUED_BEFORE) cluster.issue(token);
  for (const step of script) {
    // So that no two steps happen at the same time.
    cluster.time.pass(1);
    HAPPENINGS[step.what](cluster, step);
    await turnsPass();
    await between();
  }
  for (const { stream } of cluster.instances) stream.start();
  await calm(cluster);
  return cluster.history;
}

describe('cachedTokenStates, for any sequence of events', () => {
  // Everything can be late, lost or fail, and time passes in leaps: the bound is five seconds, and 0 at the revoking
  // instance.
  it('is never active five seconds after a revocation, never active again, and inactive only after a revocation, claim or expiry', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps([...COMMON, ...COMMON, ...ANY]),
        fc.boolean(),
        AHEAD_MS,
        async (script, withoutShared, aheadMs) => {
          const cluster = simulatedCluster({ withoutShared, aheadMs });
          const history = await play(cluster, script, async () => undefined);
          expect(evaluateHistory(history, { staleMs: 5_000 })).toEqual([]);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('is never active five seconds after a revocation that its invalidation stream has missed', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps(['introspect', 'introspect', 'endRead', 'command', 'gap']),
        AHEAD_MS,
        async (script, aheadMs) => {
          const cluster = simulatedCluster({ aheadMs });
          const history = await play(cluster, script, () => keepProving(cluster));
          expect(evaluateHistory(history, { staleMs: 5_000 })).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  // Delayed invalidation events are detected only by the age of the watermark.
  it('is never active a second after a revocation without an invalidation event, while the store responds', async () => {
    await fc.assert(
      fc.asyncProperty(steps(['pass', 'introspect', 'introspect', 'revoke', 'beat']), async (script) => {
        const cluster = simulatedCluster({ withoutShared: true });
        for (const { stream } of cluster.instances) {
          stream.beat();
          stream.deliver(1);
        }
        const history = await play(cluster, script, async () => {
          for (const { store } of cluster.instances) while (store.waiting > 0) store.end('early');
          await turnsPass();
        });
        expect(evaluateHistory(history, { staleMs: 1_000 })).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  // Small leaps, and everything arrives in between: the healthy case.
  it('is never active a second after a revocation while the store and the stream work', async () => {
    const healthy = COMMON.filter((what) => what !== 'pass' && what !== 'command');
    await fc.assert(
      fc.asyncProperty(
        steps([...healthy, 'revoke', 'revokeHere', 'claim', 'issue']),
        AHEAD_MS,
        async (script, aheadMs) => {
          const cluster = simulatedCluster({ aheadMs });
          const { instances, time } = cluster;
          const history = await play(cluster, script, async () => {
            time.pass(40);
            for (const { stream } of instances) stream.beat();
            await calm(cluster);
          });
          expect(evaluateHistory(history, { staleMs: 250 })).toEqual([]);
          expect(
            history.filter((event) => event.kind === 'introspected' && event.response === 'fault'),
          ).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });
});

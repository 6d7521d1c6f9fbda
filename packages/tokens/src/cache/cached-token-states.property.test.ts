import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeHistory } from '../testing/history.js';
import { calm, type SimulatedHouse, simulatedHouse, turnsPass } from '../testing/simulated-house.js';

const TOKENS = ['t0', 't1', 't2'];
/** Of these the last one is issued in the course of events, if ever. */
const ISSUED_BEFORE = TOKENS.slice(0, 2);

/** One thing that happens; numbers pick instance, token and how. */
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

/** Everything that can happen. What begins here goes on by itself as far as it can. */
const HAPPENINGS = {
  pass: ({ time }: SimulatedHouse, { how }: Step) => time.pass(pick(PASSES_MS, how)),
  ask: (house: SimulatedHouse, step: Step) =>
    void house.ask(pick(house.instances, step.instance), pick(TOKENS, step.token)),
  beat: ({ instances }: SimulatedHouse, { instance }: Step) => pick(instances, instance).feed.beat(),
  deliver: ({ instances }: SimulatedHouse, { instance, how }: Step) =>
    pick(instances, instance).feed.deliver(how),
  endRead: ({ instances }: SimulatedHouse, { instance, how }: Step) =>
    pick(instances, instance).store.end(pick(READ_FATES, how)),
  /** What was asked last can be answered first. */
  endNewestRead: ({ instances }: SimulatedHouse, { instance, how }: Step) =>
    pick(instances, instance).store.endNewest(pick(READ_FATES, how)),
  command: ({ instances }: SimulatedHouse, { instance, how }: Step) =>
    pick(instances, instance).shared?.step(1 + (how % 2), pick(COMMAND_FATES, how)),
  revoke: (house: SimulatedHouse, { token }: Step) => void house.revoke(pick(TOKENS, token)),
  revokeHere: (house: SimulatedHouse, { instance, token }: Step) =>
    void house.revoke(pick(TOKENS, token), pick(house.instances, instance)),
  claim: (house: SimulatedHouse, { instance, token }: Step) =>
    void house.claim(pick(house.instances, instance), pick(TOKENS, token)),
  lose: ({ instances }: SimulatedHouse, { instance }: Step) => pick(instances, instance).feed.lose(),
  start: ({ instances }: SimulatedHouse, { instance }: Step) => pick(instances, instance).feed.start(),
  issue: (house: SimulatedHouse) => {
    if (!house.history.some(({ kind, token }) => kind === 'issued' && token === 't2')) house.issue('t2');
  },
  /** Announcements go missing, and the feed works again. */
  gap: (house: SimulatedHouse, step: Step) => {
    const { feed } = pick(house.instances, step.instance);
    feed.lose();
    if (step.how % 2 === 0) void house.revoke(pick(TOKENS, step.token));
    feed.start();
    feed.beat();
    feed.deliver(1);
  },
  flush: ({ sharedServer }: SimulatedHouse) => sharedServer.flush(),
} as const;

/** Time passes, and the feed of one instance goes on proving itself. */
const keepProving = async ({ instances, time }: SimulatedHouse) => {
  time.pass(400);
  for (const { feed } of instances) {
    feed.beat();
    feed.deliver(feed.waiting);
  }
};

const COMMON = ['pass', 'ask', 'beat', 'deliver', 'endRead', 'command'] as const;
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

/** Clocks that are off, by no more than they say. */
const AHEAD_MS = fc.constantFrom(
  [0, 0] as const,
  [3, -3] as const,
  [50, 0] as const,
  [-400, 300] as const,
  [900, -900] as const,
);

async function play(house: SimulatedHouse, script: readonly Step[], between: () => Promise<void>) {
  for (const token of ISSUED_BEFORE) house.issue(token);
  for (const step of script) {
    // So that no two things happen at the same time.
    house.time.pass(1);
    HAPPENINGS[step.what](house, step);
    await turnsPass();
    await between();
  }
  for (const { feed } of house.instances) feed.start();
  await calm(house);
  return house.history;
}

describe('cachedTokenStates, whatever happens in whatever order', () => {
  // Everything can be late, lost or fail, and time passes in leaps: five seconds, and nothing at the revoking instance.
  it('is never active five seconds after a revocation, never active again, and never inactive without a reason', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps([...COMMON, ...COMMON, ...ANY]),
        fc.boolean(),
        AHEAD_MS,
        async (script, withoutShared, aheadMs) => {
          const house = simulatedHouse({ withoutShared, aheadMs });
          const history = await play(house, script, async () => undefined);
          expect(judgeHistory(history, { staleMs: 5_000 })).toEqual([]);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('is never active five seconds after a revocation that its feed has missed', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps(['ask', 'ask', 'endRead', 'command', 'gap']),
        AHEAD_MS,
        async (script, aheadMs) => {
          const house = simulatedHouse({ aheadMs });
          const history = await play(house, script, () => keepProving(house));
          expect(judgeHistory(history, { staleMs: 5_000 })).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  // Nothing tells that announcements are held up but the age of the last proof.
  it('is never active a second after a revocation that nobody announces, while the store answers', async () => {
    await fc.assert(
      fc.asyncProperty(steps(['pass', 'ask', 'ask', 'revoke', 'beat']), async (script) => {
        const house = simulatedHouse({ withoutShared: true });
        for (const { feed } of house.instances) {
          feed.beat();
          feed.deliver(1);
        }
        const history = await play(house, script, async () => {
          for (const { store } of house.instances) while (store.waiting > 0) store.end('early');
          await turnsPass();
        });
        expect(judgeHistory(history, { staleMs: 1_000 })).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  // Small leaps, and everything arrives in between: what the promise calls healthy.
  it('is never active a second after a revocation while everything works', async () => {
    const healthy = COMMON.filter((what) => what !== 'pass' && what !== 'command');
    await fc.assert(
      fc.asyncProperty(
        steps([...healthy, 'revoke', 'revokeHere', 'claim', 'issue']),
        AHEAD_MS,
        async (script, aheadMs) => {
          const house = simulatedHouse({ aheadMs });
          const { instances, time } = house;
          const history = await play(house, script, async () => {
            time.pass(40);
            for (const { feed } of instances) feed.beat();
            await calm(house);
          });
          expect(judgeHistory(history, { staleMs: 250 })).toEqual([]);
          expect(history.filter((event) => event.kind === 'asked' && event.answer === 'fault')).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });
});

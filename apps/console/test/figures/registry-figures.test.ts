import { frozenClock } from '@vestibule/protocol/testing';
import { Counter, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { windowAt } from '../../src/figures/figure-window.js';
import { FiguresUnavailableError } from '../../src/figures/figures.js';
import { registryFigures } from '../../src/figures/registry-figures.js';

function aProcess() {
  const registry = new Registry();
  const clock = frozenClock();
  const tasks: (() => void)[] = [];
  const problems: unknown[] = [];
  const figures = registryFigures({
    registry,
    clock,
    scheduler: {
      after: (_delayMs, run) => {
        tasks.push(run);
        return () => tasks.splice(tasks.indexOf(run), 1);
      },
    },
    onProblem: (error) => problems.push(error),
  });
  const counter = () =>
    new Counter({
      name: 'introspection_outcomes_total',
      help: 'x',
      labelNames: ['outcome'] as const,
      registers: [registry],
    });
  return { registry, clock, tasks, problems, figures, counter };
}

it('adds what was counted since the previous sample to the current step', async () => {
  const { clock, figures, counter } = aProcess();
  const outcomes = counter();
  outcomes.inc({ outcome: 'active' }, 5);
  await figures.sample();
  clock.advanceSeconds(120);
  outcomes.inc({ outcome: 'active' }, 2);
  outcomes.inc({ outcome: 'expired' }, 1);
  await figures.sample();
  await figures.sample();
  const hour = await figures.introspections(windowAt('hour', clock));
  expect(hour.get('active')?.slice(-3)).toEqual([0, 5, 2]);
  expect(hour.get('expired')?.slice(-3)).toEqual([0, 0, 1]);
  const day = await figures.introspections(windowAt('day', clock));
  expect([...day].map(([outcome, counts]) => [outcome, counts.reduce((sum, count) => sum + count)])).toEqual([
    ['active', 7],
    ['expired', 1],
  ]);
});

it('keeps the steps of a day, and forgets older ones', async () => {
  const { clock, figures, counter } = aProcess();
  const outcomes = counter();
  for (let step = 0; step < 2_000; step += 1) {
    outcomes.inc({ outcome: 'active' });
    await figures.sample();
    clock.advanceSeconds(120);
  }
  const window = windowAt('day', clock);
  const day = await figures.introspections(window);
  // The current step of half an hour is not complete.
  expect(day.get('active')?.slice(0, -1)).toEqual(Array.from({ length: window.steps - 1 }, () => 15));
  const everything = { ...window, startsAt: windowAt('day', frozenClock()).startsAt, steps: 1_000 };
  const kept = (await figures.introspections(everything)).get('active') ?? [];
  expect(kept.reduce((sum, count) => sum + count)).toBeLessThan(740);
});

it('samples again and again until it is stopped', async () => {
  const { tasks, figures, counter, clock } = aProcess();
  const outcomes = counter();
  outcomes.inc({ outcome: 'active' });
  tasks.shift()?.();
  await expect.poll(() => tasks.length).toBe(1);
  expect((await figures.introspections(windowAt('hour', clock))).get('active')?.at(-1)).toBe(1);
  figures.stop();
  expect(tasks).toEqual([]);
});

it('says that there is no introspection in this process', async () => {
  const { clock, figures } = aProcess();
  await figures.sample();
  await expect(figures.introspections(windowAt('hour', clock))).rejects.toThrow(FiguresUnavailableError);
  expect(await figures.alerts()).toBeUndefined();
});

import type { Clock } from '@vestibule/protocol';
import type { Scheduler } from '@vestibule/protocol/runtime';
import type { Registry } from 'prom-client';
import { FIGURE_SPANS } from './figure-window.js';
import { type Figures, FiguresUnavailableError } from './figures.js';

/** Dependencies of {@link registryFigures}. */
export interface RegistryFiguresDeps {
  /** The registry of the introspection service in this process. */
  readonly registry: Pick<Registry, 'getSingleMetric'>;
  readonly clock: Clock;
  readonly scheduler: Pick<Scheduler, 'after'>;
  /** Called when the registry cannot be read. */
  readonly onProblem: (error: unknown) => void;
}

/** Figures that this process collects. */
export interface RegistryFigures extends Figures {
  /** Takes a sample now. */
  sample(): Promise<void>;
  /** Stops the samples. */
  stop(): void;
}

const METRIC = 'introspection_outcomes_total';
const SAMPLE_INTERVAL_MS = 10_000;

/** The finest step; those of windows are multiples of it. */
const STEP_SECONDS = FIGURE_SPANS.hour.stepSeconds;
/** Two more steps than a day has, since windows begin and end with whole steps of their own. */
const MAX_STEPS = (FIGURE_SPANS.day.stepSeconds * (FIGURE_SPANS.day.steps + 1)) / STEP_SECONDS + 1;

/** Counts by outcome. */
type Counts = Map<string, number>;

/**
 * Collects introspections by outcome from the metrics of the same process: every ten seconds it adds what was counted since
 * the previous sample to the current step, and keeps the steps of a day, in constant memory. After a restart the figures
 * begin anew.
 */
export function registryFigures({
  registry,
  clock,
  scheduler,
  onProblem,
}: RegistryFiguresDeps): RegistryFigures {
  const steps = new Map<number, Counts>();
  let totals: Counts = new Map();

  const sample = async () => {
    const metric = registry.getSingleMetric(METRIC);
    if (metric === undefined) return;
    const { values } = await metric.get();
    const now: Counts = new Map(values.map(({ labels, value }) => [String(labels['outcome']), value]));
    const step = Math.floor(clock.nowMs() / 1000 / STEP_SECONDS);
    const counts = steps.get(step) ?? new Map();
    for (const [outcome, total] of now)
      counts.set(outcome, (counts.get(outcome) ?? 0) + Math.max(0, total - (totals.get(outcome) ?? 0)));
    totals = now;
    steps.set(step, counts);
    for (const old of steps.keys()) if (old <= step - MAX_STEPS || old > step) steps.delete(old);
  };
  let isStopped = false;
  let cancel = () => {};
  const schedule = () => {
    if (isStopped) return;
    cancel = scheduler.after(SAMPLE_INTERVAL_MS, () => {
      sample().catch(onProblem).finally(schedule);
    });
  };
  schedule();
  return {
    sample,
    stop: () => {
      isStopped = true;
      cancel();
    },
    introspections: async ({ startsAt, stepSeconds, steps: length }) => {
      if (registry.getSingleMetric(METRIC) === undefined)
        throw new FiguresUnavailableError('This process has no introspection.');
      const outcomes = new Map<string, number[]>();
      for (const [step, counts] of steps) {
        const index = Math.floor((step * STEP_SECONDS - startsAt) / stepSeconds);
        if (index < 0 || index >= length) continue;
        for (const [outcome, count] of counts) {
          const sums = outcomes.get(outcome) ?? Array.from({ length }, () => 0);
          sums[index] = (sums[index] ?? 0) + count;
          outcomes.set(outcome, sums);
        }
      }
      return outcomes;
    },
    alerts: async () => undefined,
  };
}

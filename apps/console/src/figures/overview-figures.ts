import type { ActivityCounts, ActivityRecords, WaitingWork } from '@vestibule/database/activity-records';
import type { Clock } from '@vestibule/protocol';
import { type FigureSpan, type FigureWindow, windowAt } from './figure-window.js';
import { type Figures, FiguresUnavailableError, type FiringAlert, type OutcomeCounts } from './figures.js';
import { keptValue } from './kept-value.js';

/** Figures from the metrics: what they say, or why they say nothing; `undefined` if there is no such source. */
export type Measured<Value> = { readonly value: Value } | { readonly problem: string } | undefined;

/** The figures of a span of time. */
export interface SpanFigures {
  readonly window: FigureWindow;
  readonly activity: ActivityCounts;
  readonly introspections: Measured<OutcomeCounts>;
  /** Introspected tokens in a second, over the last minutes. */
  readonly introspectionRate: number | undefined;
}

/** The figures of the overview. All readers share them. */
export interface OverviewFigures {
  /**
   * The figures of a span: at most 30 seconds old for an hour, and five minutes for a day. While they are read, they
   * are loaded again every 8 seconds, and every minute.
   */
  span(span: FigureSpan): Promise<SpanFigures>;
  /** What waits now. */
  waiting(): Promise<WaitingWork>;
  /** The alerts that fire, at most 30 seconds old. */
  alerts(): Promise<Measured<readonly FiringAlert[]>>;
}

/** Dependencies of {@link overviewFigures}. */
export interface OverviewFiguresDeps {
  readonly activity: ActivityRecords;
  readonly clock: Clock;
  /** Absent if nothing reads the metrics of the services. */
  readonly figures?: Figures | undefined;
}

/** Fresh for a little less than the interval of live figures. */
const HOUR_TIMES = { freshMs: 8_000, staleMs: 30_000 };
const DAY_TIMES = { freshMs: 60_000, staleMs: 300_000 };
const ALERT_TIMES = { freshMs: 10_000, staleMs: 30_000 };

/** Creates the figures of the overview from the store and from metrics. */
export function overviewFigures({ activity, clock, figures }: OverviewFiguresDeps): OverviewFigures {
  const load = async (span: FigureSpan): Promise<SpanFigures> => {
    const window = windowAt(span, clock);
    const [counts, introspections] = await Promise.all([
      activity.counts(window),
      figures && measured(figures.introspections(window)),
    ]);
    return {
      window,
      activity: counts,
      introspections,
      introspectionRate:
        introspections !== undefined && 'value' in introspections
          ? currentRate(introspections.value, window, clock)
          : undefined,
    };
  };
  const spans = {
    hour: keptValue(HOUR_TIMES, clock, () => load('hour')),
    day: keptValue(DAY_TIMES, clock, () => load('day')),
  };
  const alerts = keptValue(ALERT_TIMES, clock, async (): Promise<Measured<readonly FiringAlert[]>> => {
    const firing = figures && (await measured(figures.alerts()));
    if (firing === undefined || 'problem' in firing) return firing;
    return firing.value && { value: firing.value };
  });
  return { span: (span) => spans[span](), waiting: () => activity.waiting(), alerts };
}

/** What a source says, or its problem. Other failures are faults of the program. */
async function measured<Value>(
  reading: Promise<Value>,
): Promise<{ readonly value: Value } | { readonly problem: string }> {
  try {
    return { value: await reading };
  } catch (error) {
    if (error instanceof FiguresUnavailableError) return { problem: error.message };
    throw error;
  }
}

/** The rate over the current step and the one before. */
function currentRate(outcomes: OutcomeCounts, window: FigureWindow, clock: Clock): number {
  const { startsAt, stepSeconds, steps } = window;
  const last = [...outcomes.values()].flatMap((counts) => counts.slice(-2));
  const seconds = clock.nowMs() / 1000 - (startsAt + (steps - 2) * stepSeconds);
  return last.reduce((sum, count) => sum + count, 0) / Math.max(seconds, stepSeconds);
}

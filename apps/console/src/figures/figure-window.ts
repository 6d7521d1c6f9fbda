import type { ActivityWindow } from '@vestibule/database/activity-records';
import { type Clock, epochSeconds } from '@vestibule/protocol';

/** A span of time of which the overview shows figures, in steps that are multiples of two minutes. */
export type FigureWindow = ActivityWindow;

/** The spans of time that the overview shows. */
export const FIGURE_SPANS = {
  hour: { stepSeconds: 120, steps: 30 },
  day: { stepSeconds: 1_800, steps: 48 },
} as const;

/** The name of a span of time. */
export type FigureSpan = keyof typeof FIGURE_SPANS;

/** Returns the window of a span that ends with the current step, which is not complete yet. */
export function windowAt(span: FigureSpan, clock: Clock): FigureWindow {
  const { stepSeconds, steps } = FIGURE_SPANS[span];
  const current = Math.floor(clock.nowMs() / 1000 / stepSeconds) * stepSeconds;
  return { startsAt: epochSeconds(current - (steps - 1) * stepSeconds), stepSeconds, steps };
}

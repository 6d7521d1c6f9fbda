import type { BoundedCount } from '@vestibule/database/activity-records';
import type { OverviewFigures } from '../figures/overview-figures.js';

/** The texts of figures by their names, which places of the page have as `data-figure`. */
export type LiveFigures = Readonly<Record<LiveFigureName, string>>;

/** The name of a live figure. */
export type LiveFigureName =
  | 'registered'
  | 'introspections'
  | 'ended-sessions'
  | 'pending-clients'
  | 'waiting-deliveries'
  | 'dead-deliveries';

/** Reads the current live figures. */
export async function liveFigures(overview: Pick<OverviewFigures, 'span' | 'waiting'>): Promise<LiveFigures> {
  const [{ activity, introspectionRate }, waiting] = await Promise.all([
    overview.span('hour'),
    overview.waiting(),
  ]);
  return {
    registered: countText(total(activity.registered)),
    introspections: introspectionRate === undefined ? 'unknown' : `${rateText(introspectionRate)} per second`,
    'ended-sessions': countText(total(activity.endedSessions)),
    'pending-clients': boundedText(waiting.pendingClients),
    'waiting-deliveries': boundedText(waiting.waitingDeliveries),
    'dead-deliveries': boundedText(waiting.deadDeliveries),
  };
}

/** The sum of counts. */
export function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** A count with separators between thousands. */
export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/** A count that may be larger. */
export function boundedText({ count, hasMore }: BoundedCount): string {
  return hasMore ? `more than ${countText(count)}` : countText(count);
}

function rateText(rate: number): string {
  return rate < 10 ? rate.toFixed(1) : countText(Math.round(rate));
}

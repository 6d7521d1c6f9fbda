import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { NotifiedServer } from './notified-server.js';
import type { WATCHED, WatchedServices } from './watched-services.js';

/** The system in which a fault is injected. */
export interface Fixture extends TestEnvironment {
  readonly services: WatchedServices;
  /** The receiver of logout tokens; one of its addresses never responds. */
  readonly receiver: NotifiedServer;
  /** Ends a session at the authorization server. */
  readonly endSession: (id: string, traceparent?: string) => Promise<void>;
}

/** The samples of a scrape, by name with labels. */
export type Samples = ReadonlyMap<string, number>;

/** A fault and the metric that has to show it. */
export interface MetricMove {
  readonly fault: string;
  readonly watched: (typeof WATCHED)[number];
  /** Starts the fault. @returns what ends it */
  begin(fixture: Fixture): Promise<() => Promise<unknown>>;
  hasMoved(before: Samples, now: Samples): boolean;
}

/** The sum of the samples of a metric whose labels contain all those texts. */
export function sumOf(samples: Samples, metric: string, ...labels: readonly string[]): number {
  const chosen = [...samples].filter(
    ([name]) => name.startsWith(`${metric}{`) && labels.every((label) => name.includes(label)),
  );
  return chosen.reduce((sum, [, value]) => sum + value, 0);
}

export function rises(metric: string, ...labels: readonly string[]): MetricMove['hasMoved'] {
  return (before, now) => sumOf(now, metric, ...labels) > sumOf(before, metric, ...labels);
}

export function becomes(value: number, metric: string, ...labels: readonly string[]): MetricMove['hasMoved'] {
  return (before, now) =>
    sumOf(before, metric, ...labels) !== value && sumOf(now, metric, ...labels) === value;
}

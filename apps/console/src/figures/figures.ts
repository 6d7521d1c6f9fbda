import type { FigureWindow } from './figure-window.js';

/** Counts by outcome: one for each step of a window. */
export type OutcomeCounts = ReadonlyMap<string, readonly number[]>;

/** An alert of ours that fires. */
export interface FiringAlert {
  readonly name: string;
  readonly severity: 'critical' | 'warning';
  /** What is wrong, as the monitoring writes it: untrusted text, at most 500 characters. */
  readonly summary: string;
}

/** What the metrics of the services say. */
export interface Figures {
  /**
   * Introspected tokens by outcome. An outcome that never occurred may be absent.
   * @throws FiguresUnavailableError
   */
  introspections(window: FigureWindow): Promise<OutcomeCounts>;
  /**
   * The alerts that fire, critical ones first, at most 20; `undefined` if this source evaluates none.
   * @throws FiguresUnavailableError
   */
  alerts(): Promise<readonly FiringAlert[] | undefined>;
}

/** The source of figures does not respond usably. The message says why, without text from the source. */
export class FiguresUnavailableError extends Error {
  override readonly name = 'FiguresUnavailableError';
}

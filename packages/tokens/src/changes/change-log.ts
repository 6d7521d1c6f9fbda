import type { Change } from './change.js';

/** A position in the log, between two changes. Its content belongs to the log. */
export interface ChangePosition {
  readonly transaction: string;
  readonly id: string;
}

/** The position before every change that is kept. */
export const LOG_START: ChangePosition = { transaction: '0', id: '0' };

/** A change with the position after it. */
export interface PlacedChange {
  readonly change: Change;
  readonly position: ChangePosition;
}

/** Changes that follow each other. */
export interface ChangePage {
  readonly changes: readonly PlacedChange[];
  /** Whether there are later changes that cannot be read yet, because an older transaction still runs. */
  readonly isPending: boolean;
}

/** The log of what ended, in an order in which nothing is added before what was read. */
export interface ChangeLog {
  /** Finds the position after a change; `undefined` if the log does not have it (any more). */
  find(eventId: string): Promise<ChangePosition | undefined>;
  /** Returns the last change that can be read; `undefined` if there is none yet, and then there soon is. */
  latest(): Promise<PlacedChange | undefined>;
  /** Returns the changes after a position. */
  page(after: ChangePosition, limit: number): Promise<ChangePage>;
}

/** Tells when there may be new changes. */
export interface ChangeNotices {
  /** Incremented for each notice. */
  count(): number;
  /** Incremented each time the notices start again after an interruption. */
  starts(): number;
  /** Resolves when the count differs, after the time, or when the signal is aborted. */
  after(count: number, withinMs: number, signal: AbortSignal): Promise<void>;
}

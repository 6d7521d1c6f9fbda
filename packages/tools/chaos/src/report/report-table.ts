import type { Trial, TrialResult } from '../trials/trial.js';
import type { Row } from './markdown-table.js';

/** A trial with what was seen. */
export interface ReportedTrial {
  readonly trial: Pick<Trial, 'id' | 'title'>;
  readonly result: TrialResult;
}

/** A table with a row for each trial that has something to tell in it. */
export interface ReportTable {
  /** In the marks between which it stands. */
  readonly name: string;
  readonly heads: Row;
  /** The cells after that of the trial's name; absent when it has nothing to tell. */
  cellsOf(reported: ReportedTrial): Row | undefined;
}

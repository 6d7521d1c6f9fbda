import type { Trial, TrialResult } from '../trials/trial.js';
import type { Row } from './markdown-table.js';

/** A trial with its result. */
export interface ReportedTrial {
  readonly trial: Pick<Trial, 'id' | 'title'>;
  readonly result: TrialResult;
}

/** A table with a row for each trial that has values for it. */
export interface ReportTable {
  /** The name in the marks around it. */
  readonly name: string;
  readonly heads: Row;
  /** The cells after the trial's name; absent when there are no values. */
  cellsOf(reported: ReportedTrial): Row | undefined;
}

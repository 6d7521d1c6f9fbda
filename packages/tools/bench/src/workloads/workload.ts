import type { RequestSource } from '../load/load-result.js';
import type { RawResponse } from '../load/response-reader.js';

/** A request whose answer can be judged. */
export interface Exchange {
  readonly request: string;
  /** What is wrong with the response; `undefined` when nothing is. */
  readonly problem: (response: RawResponse) => string | undefined;
}

/** Requests that are sent as they stand. */
export interface Replay {
  readonly kind: 'replay';
  readonly load: readonly string[];
  /** What is sent before anything is measured; the same as `load` unless given. */
  readonly warm?: readonly string[];
  /** How long to send that, where it takes longer than usual. */
  readonly warmSeconds?: number;
  /** Whether a request must not be sent twice: then there must be enough of them. */
  readonly once?: boolean;
  /** Requests like those of the load, which are sent before it and now and then beside it, and their answers judged. */
  readonly samples: readonly Exchange[];
  /** Requests unlike those of the load, which are sent before it and their answers judged. */
  readonly contrasts?: readonly Exchange[];
}

/** Requests that depend on earlier answers. Every response is judged by the source, which throws at a wrong one. */
export interface Dialogue {
  readonly kind: 'dialogue';
  readonly source: RequestSource;
}

/** A server that listens, freshly started, and what to send to it. */
export interface OpenTarget {
  readonly port: number;
  /** Absent for servers that were not started here. */
  readonly pid?: number;
  readonly traffic: Replay | Dialogue;
  /**
   * Judges what the load left behind, given how many requests were answered since the server was opened.
   * `undefined` when nothing is wrong.
   */
  readonly aftermath?: (answered: number) => Promise<string | undefined>;
  close(): Promise<void>;
}

/** One of the servers that take turns. */
export interface Target {
  readonly name: string;
  open(): Promise<OpenTarget>;
}

/** A figure to reach. */
export interface Reach {
  /** The name of the contestant that ours is compared with. */
  readonly against: string;
  /** The least ratio; absent where the comparison is for information. */
  readonly atLeast?: number;
}

/** The name of the product among the contestants. */
export const OURS = 'vestibule';

/** Servers that do the same under the same load, in turns. */
export interface Comparison {
  readonly kind: 'comparison';
  readonly id: string;
  /** What is compared, for the reader of the report. */
  readonly title: string;
  readonly connections: number;
  readonly reach: readonly Reach[];
  /** The contestants, or why there are none yet. */
  readonly targets: () => Promise<readonly Target[] | string>;
}

/** Something measured in its own unit. */
export interface Figure {
  readonly name: string;
  /** The values of several measurements. */
  readonly values: readonly number[];
  readonly unit: 'ms' | 's' | 'MB' | 'req/s' | 'statements' | '×' | '%';
  /** The value that must not be exceeded; absent where the figure is for information. */
  readonly atMost?: number;
}

/** Figures that are no comparison of servers. */
export interface FigureWorkload {
  readonly kind: 'figures';
  readonly id: string;
  readonly title: string;
  /** The figures, or why there are none yet. */
  readonly measure: () => Promise<readonly Figure[] | string>;
}

/** What can be named on the command line. */
export type Workload = (Comparison | FigureWorkload) & {
  /** Whether it runs only when it is named, because it takes long. */
  readonly onlyByName?: boolean;
};

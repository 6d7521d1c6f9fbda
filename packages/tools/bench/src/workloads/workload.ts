import type { RequestSource } from '../load/load-result.js';
import type { RawResponse } from '../load/response-reader.js';

/** A request with a checkable response. */
export interface Exchange {
  readonly request: string;
  /** The problem with a response; `undefined` for a correct one. */
  readonly problem: (response: RawResponse) => string | undefined;
}

/** A fixed list of requests. */
export interface Replay {
  readonly kind: 'replay';
  readonly load: readonly string[];
  /** Requests before the measurement; the same as `load` unless given. */
  readonly warm?: readonly string[];
  /** Whether the warm-up begins with each request once, so that a server has cached all that it caches. */
  readonly warmEach?: boolean;
  /** Whether a request must not be sent twice: then there must be enough of them. */
  readonly once?: boolean;
  /** Requests like those of the load whose responses are checked before it, and now and then during it. */
  readonly samples: readonly Exchange[];
  /** Requests unlike those of the load whose responses are checked before it. */
  readonly contrasts?: readonly Exchange[];
}

/** Requests that depend on earlier responses. The source checks every response and throws for a wrong one. */
export interface Dialogue {
  readonly kind: 'dialogue';
  readonly source: RequestSource;
}

/** A listening, freshly started server, and the requests to it. */
export interface OpenTarget {
  readonly port: number;
  /** Absent for servers that were not started here. */
  readonly pid?: number;
  readonly traffic: Replay | Dialogue;
  /**
   * Checks the state after the load, given the number of responses since the server was opened. `undefined` when it is
   * correct.
   */
  readonly aftermath?: (responses: number) => Promise<string | undefined>;
  close(): Promise<void>;
}

/** One of the servers that alternate. */
export interface Target {
  readonly name: string;
  open(): Promise<OpenTarget>;
}

/** A ratio to reach. */
export interface Reach {
  /** The name of the target that ours is compared with. */
  readonly against: string;
  /** The least ratio; absent where the comparison is for information. */
  readonly atLeast?: number;
}

/** The target name of our service. */
export const OURS = 'vestibule';

/** Servers that do the same under the same load, alternating. */
export interface Comparison {
  readonly kind: 'comparison';
  readonly id: string;
  /** The title in the report. */
  readonly title: string;
  readonly connections: number;
  readonly reach: readonly Reach[];
  /** The targets, or why there are none. */
  readonly targets: () => Promise<readonly Target[] | string>;
}

/** A measurement with its own unit. */
export interface Figure {
  readonly name: string;
  /** The values of several measurements. */
  readonly values: readonly number[];
  readonly unit: 'µs' | 'ms' | 's' | 'KB' | 'MB' | 'req/s' | 'calls/s' | 'statements' | '×' | '%';
  /** The value that must not be exceeded; absent where there is none. */
  readonly atMost?: number;
  /** The value that must be reached; absent where there is none. */
  readonly atLeast?: number;
}

/** Figures other than comparisons of servers. */
export interface FigureWorkload {
  readonly kind: 'figures';
  readonly id: string;
  readonly title: string;
  /** The figures, or why there are none. */
  readonly measure: () => Promise<readonly Figure[] | string>;
}

/** A workload that can be named on the command line. */
export type Workload = (Comparison | FigureWorkload) & {
  /** Whether it runs only when named, because it takes long. */
  readonly onlyByName?: boolean;
};

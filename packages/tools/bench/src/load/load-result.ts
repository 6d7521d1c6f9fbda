import { percentile } from '../measure/statistics.js';
import type { RawResponse } from './response-reader.js';

/** The counts of a load run. */
export interface LoadResult {
  /** The number of responses. */
  readonly requests: number;
  readonly seconds: number;
  /** Bytes of all responses, including heads. */
  readonly bytes: number;
  /** Responses with a status from 400 on, broken connections, and requests without a response. */
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Counts of a load run in which every response was checked. */
export interface CountedResult extends LoadResult {
  readonly p999Ms: number;
}

/** A source of requests. */
export interface RequestSource {
  next(): string;
  /** Called for every response. @throws Error for a wrong one */
  onResponse?(response: RawResponse): void;
}

/** Repeats a list of requests. */
export function cycle(requests: readonly string[]): RequestSource {
  let sent = 0;
  return {
    next: () => {
      const request = requests[sent % requests.length];
      if (request === undefined) throw new RangeError('there is no request to send');
      sent += 1;
      return request;
    },
  };
}

/** Counts single responses. */
export interface LoadCounter {
  count(response: RawResponse, latencyMs: number): void;
  result(seconds: number): CountedResult;
}

/** Creates a counter. */
export function loadCounter(): LoadCounter {
  const latenciesMs: number[] = [];
  let bytes = 0;
  let failures = 0;
  return {
    count: (response, latencyMs) => {
      latenciesMs.push(latencyMs);
      bytes += response.bytes;
      if (response.status >= 400) failures += 1;
    },
    result: (seconds) => {
      const sorted = Float64Array.from(latenciesMs).sort();
      const at = (share: number) => (sorted.length === 0 ? 0 : percentile(sorted, share));
      const latencies = { p50Ms: at(0.5), p99Ms: at(0.99), p999Ms: at(0.999) };
      return { requests: sorted.length, seconds, bytes, failures, ...latencies };
    },
  };
}

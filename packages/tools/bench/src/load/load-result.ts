import { percentile } from '../measure/statistics.js';
import type { RawResponse } from './response-reader.js';

/** What came of sending requests for a while. */
export interface LoadResult {
  /** How many were answered. */
  readonly requests: number;
  readonly seconds: number;
  /** Of all responses, heads included. */
  readonly bytes: number;
  /** Answers with a status from 400 on, broken connections, and requests without a response. */
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The same where every response was counted by itself. */
export interface CountedResult extends LoadResult {
  readonly p999Ms: number;
}

/** Where requests come from. */
export interface RequestSource {
  next(): string;
  /** Told of every response. @throws Error at a wrong one */
  answered?(response: RawResponse): void;
}

/** The requests of a list in turn, again and again. */
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

/** Counts answers one by one. */
export interface LoadCounter {
  count(response: RawResponse, latencyMs: number): void;
  result(seconds: number): CountedResult;
}

/** A counter at nothing. */
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

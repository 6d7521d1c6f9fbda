import { type Dialect, MAX_STATEMENT_LENGTH, type StatementFetcher } from '@vestibule/federation';
import { type Clock, MEDIA_TYPE } from '@vestibule/protocol';
import type { Egress } from './egress.js';

/** What fetching statements takes. */
export interface StatementFetcherOptions {
  readonly egress: Pick<Egress, 'fetchDocument'>;
  readonly clock: Clock;
  /** How long an address that brought nothing is not asked again. */
  readonly failureMemorySeconds: number;
}

/** The media types of statements; the older dialect knew a plainer one. */
const MEDIA_TYPES: Readonly<Record<Dialect, readonly string[]>> = {
  final: [MEDIA_TYPE.entityStatementJwt],
  older: [MEDIA_TYPE.entityStatementJwt, MEDIA_TYPE.jose],
};

/** What says nothing about an address: there was no room here. */
const OUR_OWN_FAULT = 'overloaded';

/** The most addresses that are known to bring nothing; the one that failed first gives way. */
const MAX_FAILURES = 10_000;

/**
 * Fetches statements through the door, for all resolutions of the process: those who ask for one address at a time
 * share one fetch, and an address that brought nothing is left alone for a while, unless there was no room to ask it:
 * whoever takes all room must not make others unreachable beyond that. Why an address brought nothing is not told.
 */
export function statementFetchers(
  options: StatementFetcherOptions,
): Readonly<Record<Dialect, StatementFetcher>> {
  return { final: fetcherOf('final', options), older: fetcherOf('older', options) };
}

function fetcherOf(
  dialect: Dialect,
  { egress, clock, failureMemorySeconds }: StatementFetcherOptions,
): StatementFetcher {
  const running = new Map<string, Promise<string | undefined>>();
  const failedUntilMs = new Map<string, number>();
  const mediaTypes = MEDIA_TYPES[dialect];
  const remember = (url: string) => {
    const [oldest] = failedUntilMs.keys();
    if (failedUntilMs.size >= MAX_FAILURES && oldest !== undefined) failedUntilMs.delete(oldest);
    if (failureMemorySeconds > 0) failedUntilMs.set(url, clock.nowMs() + failureMemorySeconds * 1000);
  };
  const fetchOnce = async (url: string): Promise<string | undefined> => {
    const accept = mediaTypes.join(', ');
    const answer = await egress.fetchDocument({ url, accept, mediaTypes, maxBytes: MAX_STATEMENT_LENGTH });
    running.delete(url);
    if (answer.outcome === 'ok') return answer.text;
    if (answer.reason !== OUR_OWN_FAULT) remember(url);
    return undefined;
  };
  // Nobody's own signal ends a fetch that others wait for; its deadline does.
  return async (address) => {
    const untilMs = failedUntilMs.get(address);
    if (untilMs !== undefined && clock.nowMs() < untilMs) return undefined;
    failedUntilMs.delete(address);
    const fetching = running.get(address) ?? fetchOnce(address);
    running.set(address, fetching);
    return fetching;
  };
}

import {
  type DocumentFetchers,
  FederationFailure,
  MAX_STATEMENT_LENGTH,
  markStatusKey,
  type Profile,
  type StatementFetcher,
} from '@vestibule/federation';
import { type Clock, MEDIA_TYPE } from '@vestibule/protocol';
import type { Egress, FetchDocumentRequest } from './egress.js';

/** What fetching statements takes. */
export interface StatementFetcherOptions {
  readonly egress: Pick<Egress, 'fetchDocument'>;
  readonly clock: Clock;
  /** How long an address that brought nothing is not asked again. */
  readonly failureMemorySeconds: number;
}

/** The media types of statements; the draft profile knew a plainer one. */
const MEDIA_TYPES: Readonly<Record<Profile, readonly string[]>> = {
  final: [MEDIA_TYPE.entityStatementJwt],
  draft: [MEDIA_TYPE.entityStatementJwt, MEDIA_TYPE.jose],
};

/** What says nothing about an address: there was no room here. */
const OUR_OWN_FAULT = 'overloaded';

/** The most addresses that are known to bring nothing; the one that failed first gives way. */
const MAX_FAILURES = 10_000;

/** Fetches statements through the door, for all resolutions of the process, as {@link sharedFetch} does. */
export function statementFetchers(
  options: StatementFetcherOptions,
): Readonly<Record<Profile, StatementFetcher>> {
  return {
    final: addressFetcher(MEDIA_TYPES.final, options),
    draft: addressFetcher(MEDIA_TYPES.draft, options),
  };
}

/** Fetches trust mark statuses and signed key sets for all resolutions of the process, as {@link sharedFetch} does. */
export function documentFetchers(options: StatementFetcherOptions): DocumentFetchers {
  const fetchStatus = sharedFetch(options);
  return {
    signedKeySet: addressFetcher([MEDIA_TYPE.jwkSetJwt], options),
    markStatus: (url, mark) =>
      fetchStatus(markStatusKey(url, mark), {
        url,
        mediaTypes: [MEDIA_TYPE.trustMarkStatusResponseJwt],
        form: { trust_mark: mark },
      }),
  };
}

function addressFetcher(mediaTypes: readonly string[], options: StatementFetcherOptions): StatementFetcher {
  const fetch = sharedFetch(options);
  return (url) => fetch(url, { url, mediaTypes });
}

type SharedRequest = Pick<FetchDocumentRequest, 'url' | 'mediaTypes' | 'form'>;

/**
 * Fetches through the door: those who ask for one thing at a time share one fetch, and what could not be had is left
 * alone for a while, unless there was no room to ask: whoever takes all room must not make others unreachable beyond
 * that. Why something cannot be had is not told.
 * @returns a function that rejects with a `FederationFailure` of reason `overloaded` when there was no room to ask
 */
function sharedFetch({ egress, clock, failureMemorySeconds }: StatementFetcherOptions) {
  const running = new Map<string, Promise<string | undefined>>();
  const failedUntilMs = new Map<string, number>();
  const remember = (key: string) => {
    const [oldest] = failedUntilMs.keys();
    if (failedUntilMs.size >= MAX_FAILURES && oldest !== undefined) failedUntilMs.delete(oldest);
    if (failureMemorySeconds > 0) failedUntilMs.set(key, clock.nowMs() + failureMemorySeconds * 1000);
  };
  const fetchOnce = async (key: string, request: SharedRequest): Promise<string | undefined> => {
    const accept = request.mediaTypes.join(', ');
    const response = await egress.fetchDocument({ ...request, accept, maxBytes: MAX_STATEMENT_LENGTH });
    running.delete(key);
    if (response.outcome === 'ok') return response.text;
    if (response.reason === OUR_OWN_FAULT)
      throw new FederationFailure('overloaded', 'there was no room for a request to another entity');
    remember(key);
    return undefined;
  };
  // Nobody's own signal ends a fetch that others wait for; its deadline does.
  return async (key: string, request: SharedRequest): Promise<string | undefined> => {
    const untilMs = failedUntilMs.get(key);
    if (untilMs !== undefined && clock.nowMs() < untilMs) return undefined;
    failedUntilMs.delete(key);
    const fetching = running.get(key) ?? fetchOnce(key, request);
    running.set(key, fetching);
    return fetching;
  };
}

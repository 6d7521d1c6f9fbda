import { FederationFailure, type Profile } from '@vestibule/federation';
import { type DocumentFetchers, markStatusKey, type StatementFetcher } from '@vestibule/federation/chains';
import { MAX_STATEMENT_LENGTH } from '@vestibule/federation/statements';
import type { Clock } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { boundedMap } from '@vestibule/protocol/runtime';
import type { Egress, FetchDocumentRequest } from './egress.js';

/** Options of the fetchers. */
export interface StatementFetcherOptions {
  readonly egress: Pick<Egress, 'fetchDocument'>;
  readonly clock: Clock;
  /** How long a failed address is not fetched again, in seconds. */
  readonly negativeCacheSeconds: number;
}

/** Media types of statements in each profile. */
const MEDIA_TYPES: Readonly<Record<Profile, readonly string[]>> = {
  final: [MEDIA_TYPE.entityStatementJwt],
  draft: [MEDIA_TYPE.entityStatementJwt, MEDIA_TYPE.jose],
};

/** The failure that says nothing about the address. */
const OUR_OWN_FAULT = 'overloaded';

/** Maximum number of negative entries for failed addresses; the oldest is discarded first. */
const MAX_FAILURES = 10_000;

/** Creates the fetchers of entity statements, shared by all resolutions of the process (see {@link sharedFetch}). */
export function statementFetchers(
  options: StatementFetcherOptions,
): Readonly<Record<Profile, StatementFetcher>> {
  return {
    final: addressFetcher(MEDIA_TYPES.final, options),
    draft: addressFetcher(MEDIA_TYPES.draft, options),
  };
}

/** Creates the fetchers of trust mark statuses and signed key sets, shared like those of statements. */
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
 * Creates a shared fetch. Parallel calls for one document share one request. A failed address is not fetched again for
 * a while, except after an overload: an entity that causes one must not make other entities unreachable for longer.
 * The reason of a failure is not revealed.
 * @returns a function that rejects with a `FederationFailure` of reason `overloaded` on overload
 */
function sharedFetch({ egress, clock, negativeCacheSeconds }: StatementFetcherOptions) {
  const running = new Map<string, Promise<string | undefined>>();
  const failedUntilMs = boundedMap<string, number>({
    maxEntries: MAX_FAILURES,
    isExpired: (untilMs) => clock.nowMs() >= untilMs,
  });
  const addNegativeEntry = (key: string) => {
    if (negativeCacheSeconds > 0) failedUntilMs.set(key, clock.nowMs() + negativeCacheSeconds * 1000);
  };
  const fetchOnce = async (key: string, request: SharedRequest): Promise<string | undefined> => {
    const accept = request.mediaTypes.join(', ');
    const response = await egress.fetchDocument({ ...request, accept, maxBytes: MAX_STATEMENT_LENGTH });
    running.delete(key);
    if (response.outcome === 'ok') return response.text;
    if (response.reason === OUR_OWN_FAULT)
      throw new FederationFailure('overloaded', 'too many outbound requests');
    addNegativeEntry(key);
    return undefined;
  };
  // A shared fetch has no caller's signal; only its deadline ends it.
  return async (key: string, request: SharedRequest): Promise<string | undefined> => {
    if (failedUntilMs.get(key) !== undefined) return undefined;
    const fetching = running.get(key) ?? fetchOnce(key, request);
    running.set(key, fetching);
    return fetching;
  };
}

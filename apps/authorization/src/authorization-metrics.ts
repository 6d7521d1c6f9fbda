import { REFUSAL_REASONS } from '@vestibule/client-auth';
import { type Logger, readCounter, readGauge } from '@vestibule/http/observability';
import { type Clock, type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import { clientRefusalCounter } from '@vestibule/service';
import type { ChangeStreams } from './changes/change-streams.js';
import type { CountImports } from './deps.js';
import { AUTHENTICATED_ROUTES, type RefusedClient } from './provider/client-refusals.js';
import { STORED_REQUEST_KINDS, type ThrottledRequest } from './provider/stored-request-limit.js';
import { UPSTREAM_OUTCOMES, type UpstreamOutcome } from './upstream/upstream-outcome.js';

/** Counts failed client authentications at the endpoints of the authorization server. */
export function refusedClientCounter(
  registry: Parameters<typeof clientRefusalCounter>[0],
): (refused: RefusedClient) => void {
  const ofEndpoint = clientRefusalCounter(registry);
  const counters = new Map(
    [...AUTHENTICATED_ROUTES.values()].map((path) => [path, ofEndpoint(path, REFUSAL_REASONS)] as const),
  );
  return ({ route, reason }) => counters.get(route)?.(reason);
}

/** Counts authorization requests that are throttled by network, by kind of stored request. */
export function throttledRequestCounter(
  registry: Parameters<typeof readCounter>[0],
): (throttled: ThrottledRequest) => void {
  const count = labelledCounter(registry, {
    name: 'authorization_requests_throttled_total',
    help: 'Authorization requests throttled by network, by the kind of record that would have been stored: `posted_request`, `interaction` or `pushed_request`.',
    label: 'kind',
    values: STORED_REQUEST_KINDS,
  });
  return ({ kind }) => count(kind);
}

/** Counts logins at the other OpenID provider, by how they ended. */
export function upstreamLoginCounter(
  registry: Parameters<typeof readCounter>[0],
): (outcome: UpstreamOutcome) => void {
  return labelledCounter(registry, {
    name: 'upstream_logins_total',
    help: 'Logins at the provider in UPSTREAM_ISSUER that ended, by outcome: `success`, `cancelled` by the end-user, or the reason of the failure, `unreachable`, `refused`, `response` or `stale_login`.',
    label: 'outcome',
    values: UPSTREAM_OUTCOMES,
  });
}

/** Counts tokens that another authorization server issued and sent here. */
export function importedTokenCounter(registry: Parameters<typeof readCounter>[0]): CountImports {
  return labelledCounter(registry, {
    name: 'imported_tokens_total',
    help: 'Tokens of another authorization server in import requests, by result: `stored`, `unchanged`, `revoked`, or `refused` for single lines.',
    label: 'result',
    values: ['stored', 'unchanged', 'revoked', 'refused'] as const,
  });
}

/** Registers a counter with one label, whose values start at zero. Returns what counts one or more. */
function labelledCounter<const Value extends string>(
  registry: Parameters<typeof readCounter>[0],
  {
    name,
    help,
    label,
    values,
  }: {
    readonly name: string;
    readonly help: string;
    readonly label: string;
    readonly values: readonly Value[];
  },
): (value: Value, count?: number) => void {
  const tally = new Map<Value, number>(values.map((value) => [value, 0]));
  readCounter(registry, {
    name,
    help,
    labels: [label],
    read: () => [...tally].map(([value, count]) => [{ [label]: value }, count] as const),
  });
  return (value, count = 1) => void tally.set(value, (tally.get(value) ?? 0) + count);
}

/** Counts JWTs for which nothing was revoked because they do not verify, and logs why the first one does not. */
export function unverifiedRevocationCounter(
  registry: Parameters<typeof readCounter>[0],
  logger: Pick<Logger, 'warn'>,
): (reason: string) => void {
  let count = 0;
  readCounter(registry, {
    name: 'unverified_revocations_total',
    help: 'JWTs with our issuer at `/direct-authz/revoke` that do not verify as access tokens, so that nothing was revoked.',
    read: () => [[{}, count]],
  });
  return (reason) => {
    count += 1;
    if (count === 1)
      logger.warn(
        { reason },
        'nothing was revoked for a JWT that does not verify: if your server signs access tokens, set AUTHORIZATION_SERVER_JWKS of the authorization service to its key set',
      );
  };
}

/** Registers the number of open streams of changes. */
export function registerChangeStreams(
  registry: Parameters<typeof readGauge>[0],
  streams: Pick<ChangeStreams, 'count'>,
): void {
  readGauge(registry, {
    name: 'change_streams',
    help: 'Open streams of changes at `/direct-authz/changes`.',
    read: () => [[{}, streams.count()]],
  });
}

/** Registers the age of changes that cannot be read yet. Returns what takes the time of the first of them. */
export function pendingChangesGauge(
  registry: Parameters<typeof readGauge>[0],
  clock: Clock,
): (since: EpochSeconds | undefined) => void {
  let pendingSince: EpochSeconds | undefined;
  readGauge(registry, {
    name: 'change_pending_seconds',
    help: 'Age of the oldest change that streams and the webhook of this instance cannot get yet, because an older transaction still runs in PostgreSQL; 0 if there is none, or no reader.',
    read: () => [[{}, pendingSince === undefined ? 0 : Math.max(0, nowSeconds(clock) - pendingSince)]],
  });
  return (since) => {
    pendingSince = since;
  };
}

import type { FollowedKeySet } from '@vestibule/crypto/public-keys';
import { readCounter, readGauge } from '@vestibule/http/observability';
import type { Registry } from 'prom-client';

/** What the metrics are read from. */
export interface AuthorizationServerKeyMetricsSource {
  readonly keys: Pick<FollowedKeySet, 'ageMs' | 'size'>;
  /** Number of reads by outcome. */
  readonly reads: Readonly<Record<'ok' | 'failed', number>>;
}

/** Registers metrics of the key set in `AUTHORIZATION_SERVER_JWKS`. */
export function authorizationServerKeyMetrics(
  registry: Registry,
  { keys, reads }: AuthorizationServerKeyMetricsSource,
): void {
  readCounter(registry, {
    name: 'authorization_server_jwks_reads_total',
    help: 'Reads of the key set in `AUTHORIZATION_SERVER_JWKS` by outcome: `ok` or `failed`.',
    labels: ['outcome'],
    read: () => Object.entries(reads).map(([outcome, value]) => [{ outcome }, value] as const),
  });
  readGauge(registry, {
    name: 'authorization_server_jwks_age_seconds',
    help: 'Time since the keys in `AUTHORIZATION_SERVER_JWKS` were last read successfully, in seconds; +Inf before the first time. Above 1800 they are not used.',
    read: () => [[{}, keys.ageMs() / 1000]],
  });
  readGauge(registry, {
    name: 'authorization_server_jwks_keys',
    help: 'Keys from `AUTHORIZATION_SERVER_JWKS` that verify signatures now.',
    read: () => [[{}, keys.size()]],
  });
}

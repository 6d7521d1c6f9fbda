import { followKeySet } from '@vestibule/crypto/public-keys';
import { type KeyRing, type OtherServerKeys, withoutOwnKeys } from '@vestibule/crypto/signing-keys';
import { startMaintenanceJob, systemTime } from '@vestibule/database';
import { createEgress } from '@vestibule/egress';
import type { Logger, Metrics } from '@vestibule/http/observability';
import { portOf, systemClock, type Tracer } from '@vestibule/protocol';
import { authorizationServerKeyMetrics } from '../metrics/authorization-server-key-metrics.js';
import type { Dependency } from '../process/readiness.js';
import type { JwksLocation } from '../settings/jwks-location.js';
import { readJwks } from './read-jwks.js';
import { createServiceEgress } from './service-egress.js';

/** The settings that say where the key set is. */
export interface AuthorizationServerSettings {
  readonly AUTHORIZATION_SERVER_JWKS?: JwksLocation | undefined;
  readonly EGRESS_ALLOW_HOSTS: readonly string[];
}

/** Options of {@link openAuthorizationServerKeys}. */
export interface AuthorizationServerKeysOptions {
  readonly settings: AuthorizationServerSettings;
  /** Our key ring: its keys, former ones included, do not count as keys of the authorization server. */
  readonly ours: OwnKeys;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly tracer: Tracer | undefined;
}

/** What {@link withoutOwnKeys} needs of our key ring. */
type OwnKeys = Pick<KeyRing, 'hasEverHeld' | 'refresh'>;

/** The keys of the operator's authorization server, with the dependency for readiness and shutdown. */
export interface AuthorizationServerKeys {
  readonly keys: OtherServerKeys;
  readonly dependency: Dependency;
}

const NAME = 'authorization_server_keys';

/** How often the set is read, in milliseconds. A withdrawn key stops verifying within a minute. */
const INTERVAL_MS = { url: 30_000, file: 5_000 };
/** The same after a failure. */
const RETRY_MS = 5_000;
/** The same until the first success, which the service needs to be ready. */
const FIRST_RETRY_MS = 1_000;

const { monotonic } = systemTime;

/**
 * Follows the key set of the operator's authorization server; `undefined` without one. It is not ready until the set
 * was read once. Later failures are logged and counted; the service stays ready and uses the last keys.
 */
export function openAuthorizationServerKeys({
  settings,
  ours,
  logger,
  metrics,
  tracer,
}: AuthorizationServerKeysOptions): AuthorizationServerKeys | undefined {
  const location = settings.AUTHORIZATION_SERVER_JWKS;
  if (location === undefined) return undefined;
  const egress = createServiceEgress({
    settings: { EGRESS_ALLOW_HOSTS: allowedHosts(settings, location) },
    metrics,
    tracer,
  });
  const report = problemReport(logger);
  const reads = { ok: 0, failed: 0 };
  const read = async () => {
    const result = await readJwks(location, egress);
    reads[result.ok ? 'ok' : 'failed'] += 1;
    report(result.ok ? undefined : result.reason);
    return result;
  };
  const keys = withoutOwnKeys(followKeySet({ read, monotonic }), ours);
  authorizationServerKeyMetrics(metrics.registry, { keys, reads });
  const onError = (error: unknown) => logger.error({ error, dependency: NAME }, 'the key set was not read');
  let readAtMs = Number.NEGATIVE_INFINITY;
  const intervalMs = () => {
    if (keys.ageMs() === Number.POSITIVE_INFINITY) return FIRST_RETRY_MS;
    return keys.problem() === undefined ? INTERVAL_MS[location.kind] : RETRY_MS;
  };
  const refreshIfDue = async () => {
    if (monotonic() - readAtMs < intervalMs()) return;
    readAtMs = monotonic();
    await keys.refresh();
  };
  refreshIfDue().catch(onError);
  const job = startMaintenanceJob({ run: refreshIfDue, intervalMs: FIRST_RETRY_MS, onError });
  return {
    keys,
    dependency: {
      name: NAME,
      check: async () => {
        if (keys.ageMs() === Number.POSITIVE_INFINITY) throw new Error('the key set has not been read yet');
      },
      problem: () => {
        const problem = keys.problem();
        return problem && `AUTHORIZATION_SERVER_JWKS: ${problem}`;
      },
      close: job.stop,
    },
  };
}

/** The same keys for one operation of a command, read when they are needed; `undefined` without a key set. */
export function authorizationServerKeys(
  settings: AuthorizationServerSettings,
  ours: OwnKeys,
): OtherServerKeys | undefined {
  const location = settings.AUTHORIZATION_SERVER_JWKS;
  if (location === undefined) return undefined;
  const egress = createEgress({ allowHosts: allowedHosts(settings, location), clock: systemClock });
  return withoutOwnKeys(followKeySet({ read: () => readJwks(location, egress), monotonic }), ours);
}

/** The host of the key set may be on an internal network, because an operator chose it. */
function allowedHosts(
  { EGRESS_ALLOW_HOSTS }: AuthorizationServerSettings,
  location: JwksLocation,
): readonly string[] {
  if (location.kind === 'file') return EGRESS_ALLOW_HOSTS;
  return [...EGRESS_ALLOW_HOSTS, `${location.url.hostname}:${portOf(location.url)}`];
}

/**
 * Logs each new problem once, and when there is none any more. Unlike `lastingFault`, it hears of every success, so that
 * no time without a failure has to stand for one.
 */
function problemReport(logger: Logger): (problem: string | undefined) => void {
  let reported: string | undefined;
  return (reason) => {
    if (reason === reported) return;
    reported = reason;
    if (reason === undefined) logger.info({ dependency: NAME }, 'AUTHORIZATION_SERVER_JWKS was read again');
    else
      logger.warn(
        { dependency: NAME, reason },
        'AUTHORIZATION_SERVER_JWKS cannot be read; the keys in use stay in use for 30 minutes at most',
      );
  };
}

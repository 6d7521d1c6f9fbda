import { type RedisConnection, replayStore } from '@vestibule/cache';
import { importedSecrets, REFUSAL_REASONS } from '@vestibule/client-auth';
import {
  type ClientAssertionDeps,
  endpointAudiences,
  layeredReplayStore,
} from '@vestibule/client-auth/assertions';
import { createRemoteKeySets } from '@vestibule/crypto/public-keys';
import type { OtherServerKeys } from '@vestibule/crypto/signing-keys';
import type { Store } from '@vestibule/database';
import { createEgress, type Egress, keySetFetcher } from '@vestibule/egress';
import { systemClock } from '@vestibule/protocol';
import { ENDPOINT_PATH } from '@vestibule/protocol/constants';
import { tokenBuckets } from '@vestibule/protocol/rate-limits';
import { nodeScheduler } from '@vestibule/protocol/runtime';
import { clientRefusalCounter, openFailedAuthenticationThrottle } from '@vestibule/service';
import { clientCertificateOptions, clientCertificateReader } from '@vestibule/service/tls';
import { inactiveResponseRateLimit } from '@vestibule/tokens/introspection';
import type { Registry } from 'prom-client';
import { registerChangeMetrics } from './change-metrics.js';
import { type ChangeStreams, changeStreams } from './change-streams.js';
import type { IntrospectionConfig } from './config.js';
import type { IntrospectionServiceDeps } from './deps.js';
import type { IntrospectionCache } from './introspection-cache.js';
import { foreignAudienceCounter, introspectionOutcomes } from './introspection-outcomes.js';

/** Resources that a process may share between its services. */
export interface IntrospectionEnvironment {
  /** Outbound requests. Default: a new egress with the `EGRESS_ALLOW_HOSTS` of the settings. */
  readonly egress?: Pick<Egress, 'fetchDocument'>;
  /** Keys of the operator's authorization server. Default: none. */
  readonly authorizationServerKeys?: OtherServerKeys | undefined;
  /** Registry of the metrics. Without it outcomes, authentication failures and foreign audiences are not counted. */
  readonly registry?: Registry;
}

/**
 * Composes the dependencies of the service from its settings and a store. Without a cache, every request reads the
 * store.
 */
export function composeIntrospection(
  config: IntrospectionConfig,
  store: Pick<Store, 'database' | 'digester' | 'encryptor' | 'providerKeys'> &
    Partial<Pick<Store, 'clientUses' | 'clock'>>,
  cache?: Pick<IntrospectionCache, 'states' | 'watch' | 'tagStream' | 'redis'>,
  { egress = ownEgress(config), authorizationServerKeys, registry }: IntrospectionEnvironment = {},
): IntrospectionServiceDeps {
  const { database, digester, encryptor, providerKeys, clientUses, clock: storeClock } = store;
  const clock = storeClock ?? systemClock;
  const failedAuthentications = openFailedAuthenticationThrottle(
    config.RATE_LIMITS_ENABLED,
    config.INTROSPECTION_FAILED_AUTHENTICATIONS_PER_MINUTE,
  );
  return {
    clock,
    issuer: config.BASE_URL,
    digester,
    encryptor,
    keys: providerKeys,
    ...(authorizationServerKeys && { authorizationServerKeys }),
    clients: database.clients,
    accessTokens: database.accessTokens,
    revocations: database.revocations,
    ...(storeClock && { pauses: storeClock }),
    ...(clientUses && { clientUses }),
    algorithm: config.ACCESS_TOKEN_SIGNING_ALG,
    responseType: config.INTROSPECTION_JWT_TYPE,
    ...(config.INTROSPECTION_FORMAT !== 'negotiated' && { format: config.INTROSPECTION_FORMAT }),
    assertions: clientAssertions(config, store, cache?.redis),
    clientCertificate: clientCertificateReader(clientCertificateOptions(config)),
    remoteKeySets: createRemoteKeySets({
      fetch: keySetFetcher(egress, { deadlineMs: KEY_SET_DEADLINE_MS }),
      clock: systemClock,
    }),
    audienceRule: config.INTROSPECTION_AUDIENCE_RULE,
    ...(registry && {
      onForeignAudience: foreignAudienceCounter(registry),
      outcomes: introspectionOutcomes(registry),
      countRefusal: clientRefusalCounter(registry)(ENDPOINT_PATH.introspection, REFUSAL_REASONS),
    }),
    narrowScope: config.INTROSPECTION_NARROW_SCOPE,
    ...inactiveResponseLimit(config),
    ...(failedAuthentications && { failedAuthentications }),
    hasFastPath: config.INTROSPECTION_FAST_PATH,
    hasApiPage: config.API_PAGE_ENABLED,
    pruneAudience: config.INTROSPECTION_PRUNE_AUDIENCE,
    secretOverlapSeconds: config.CLIENT_SECRET_OVERLAP_SECONDS,
    importedSecrets: importedSecrets({
      clients: database.clients,
      digester,
      encryptor,
      clock,
      deadline: { limitMs: SECRET_HASH_DEADLINE_MS, scheduler: nodeScheduler },
    }),
    ...(cache && { states: cache.states, watch: cache.watch, changes: streamsOf(cache, registry) }),
  };
}

/** The response has 2 s in all; the rest is for the other lookups. */
const SECRET_HASH_DEADLINE_MS = 1_500;

/** Assertions are single-use across all instances: Redis detects most replays, Postgres all of them. */
function clientAssertions(
  config: IntrospectionConfig,
  { database, encryptor }: Pick<Store, 'database' | 'encryptor'>,
  redis: RedisConnection | undefined,
): ClientAssertionDeps {
  const issuer = config.BASE_URL;
  const first = redis === undefined ? [] : [replayStore({ redis, clock: systemClock })];
  return {
    issuer,
    encryptor,
    replays: layeredReplayStore([...first, database.replays]),
    maxLifetimeSeconds: config.ASSERTION_MAX_LIFETIME_SECONDS,
    endpointAudiences: endpointAudiences(config.ASSERTION_AUDIENCE, issuer, ENDPOINT_PATH.introspection),
  };
}

/** Leaves time to respond with 401 within the two seconds that a caller waits at most. */
const KEY_SET_DEADLINE_MS = 1_500;

function ownEgress({ EGRESS_ALLOW_HOSTS: allowHosts }: IntrospectionConfig): Egress {
  return createEgress({ allowHosts, clock: systemClock });
}

function inactiveResponseLimit({
  RATE_LIMITS_ENABLED: isEnabled,
  INTROSPECTION_INACTIVE_PER_MINUTE: perMinute,
}: IntrospectionConfig): Pick<IntrospectionServiceDeps, 'inactiveResponseRateLimit'> {
  if (!isEnabled || perMinute === 0) return {};
  const store = tokenBuckets({ clock: systemClock });
  return { inactiveResponseRateLimit: inactiveResponseRateLimit({ clock: systemClock, store, perMinute }) };
}

function streamsOf(
  { tagStream, states }: Pick<IntrospectionCache, 'tagStream' | 'states'>,
  registry: Registry | undefined,
): ChangeStreams {
  const streams = changeStreams({ tagStream, states, scheduler: nodeScheduler, random: Math.random });
  if (registry !== undefined) registerChangeMetrics(registry, streams);
  return streams;
}

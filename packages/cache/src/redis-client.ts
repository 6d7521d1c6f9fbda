import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress, RedisCredentials } from './redis-address.js';

/** Options of a Redis client. */
export interface RedisClientOptions {
  readonly address: RedisAddress;
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string;
  /** Credentials for the sentinels; absent if they need none. */
  readonly sentinelCredentials?: RedisCredentials;
}

/** A client of one server, of the master that sentinels report, or of a cluster. */
export type RedisClient = Redis | Cluster;

const CONNECT_TIMEOUT_MS = 500;
const SOCKET_TIMEOUT_MS = 500;
const DISCONNECT_TIMEOUT_MS = 100;
const RETRY_MS = 100;
/**
 * Long, because the client prints a line for each unreachable sentinel, and the other sentinels report failovers too.
 */
const SENTINEL_RECONNECT_MS = 30_000;
const LOADING_RETRY_MS = 250;
const SLOTS_REFRESH_MS = 5_000;
const MAX_REDIRECTIONS = 3;

/** Creates a client that starts connecting at once and keeps trying until it is disconnected. */
export function createRedisClient(options: RedisClientOptions): RedisClient {
  const { address } = options;
  switch (address.kind) {
    case 'standalone':
      return new Redis({
        ...sharedOptions(options),
        ...address.node,
        db: address.database,
        retryStrategy: retryDelayMs,
        ...tlsOptions(options, address.node.host),
      });
    case 'sentinel':
      return sentinelClient(options, address);
    case 'cluster':
      return clusterClient(options, address);
  }
}

function sentinelClient(
  options: RedisClientOptions,
  address: Extract<RedisAddress, { kind: 'sentinel' }>,
): Redis {
  const { tls } = tlsOptions(options);
  return new Redis({
    ...sharedOptions(options),
    sentinels: address.sentinels.map((sentinel) => ({ ...sentinel })),
    name: address.master,
    db: address.database,
    sentinelUsername: options.sentinelCredentials?.username,
    sentinelPassword: options.sentinelCredentials?.password,
    sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
    sentinelRetryStrategy: retryDelayMs,
    sentinelReconnectStrategy: () => SENTINEL_RECONNECT_MS,
    // A frozen master never closes its connections, so a new master is learnt from the sentinels.
    failoverDetector: true,
    retryStrategy: retryDelayMs,
    ...(tls === undefined ? {} : { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
  });
}

function clusterClient(
  options: RedisClientOptions,
  address: Extract<RedisAddress, { kind: 'cluster' }>,
): Cluster {
  return new Cluster(
    address.nodes.map((node) => ({ ...node })),
    {
      redisOptions: { ...sharedOptions(options), ...tlsOptions(options), enableAutoPipelining: true },
      enableOfflineQueue: false,
      enableAutoPipelining: true,
      clusterRetryStrategy: retryDelayMs,
      // Commands are not retried: the caller handles a failure.
      maxRedirections: MAX_REDIRECTIONS,
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      retryDelayOnTryAgain: 0,
      slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
      slotsRefreshInterval: SLOTS_REFRESH_MS,
      // Certificates contain host names, so over TLS names are not replaced by their addresses.
      ...(address.tls
        ? { dnsLookup: (host: string, done: (error: null, address: string) => void) => done(null, host) }
        : {}),
    },
  );
}

/** Options of every connection. The client's own defaults wait forever and queue without bound. */
function sharedOptions({ address }: RedisClientOptions) {
  return {
    username: address.credentials?.username,
    password: address.credentials?.password,
    // For commands of the client itself; callers have a much shorter timeout.
    commandTimeout: SOCKET_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    // How long an unresponsive server may delay closing its connection.
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    enableOfflineQueue: false,
    // With 1 the client would neither resend nor reject the pending commands of a lost connection.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    maxLoadingRetryTime: LOADING_RETRY_MS,
    // A demoted master keeps its connections open; reconnecting finds the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    disableClientInfo: true,
  } satisfies RedisOptions;
}

/** Always verifies certificates. @param host the server name (SNI), where it is known before connecting */
function tlsOptions(
  { address, ca }: RedisClientOptions,
  host?: string,
): { readonly tls?: ConnectionOptions } {
  if (!address.tls) return {};
  return {
    tls: {
      ...(ca === undefined ? {} : { ca }),
      ...(host === undefined || isIP(host) !== 0 ? {} : { servername: host }),
    },
  };
}

function retryDelayMs(): number {
  return RETRY_MS * (1 + Math.random());
}

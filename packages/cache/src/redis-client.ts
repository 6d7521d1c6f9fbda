import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress, RedisCredentials } from './redis-address.js';

/** What a client is made of. */
export interface RedisClientOptions {
  readonly address: RedisAddress;
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string;
  /** How to log in to the sentinels; absent where they ask for nothing. */
  readonly sentinelCredentials?: RedisCredentials;
}

/** A client of one server, of the master that sentinels name, or of a cluster. */
export type RedisClient = Redis | Cluster;

const CONNECT_TIMEOUT_MS = 500;
const SOCKET_TIMEOUT_MS = 500;
const DISCONNECT_TIMEOUT_MS = 100;
const RETRY_MS = 100;
/** Rarely: the client prints a line for each sentinel that is not there, and the others announce a failover too. */
const SENTINEL_RECONNECT_MS = 30_000;
const LOADING_RETRY_MS = 250;
const SLOTS_REFRESH_MS = 5_000;
const MAX_REDIRECTIONS = 3;

/** A client that starts to connect at once and goes on trying until it is disconnected. */
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
    // Sentinels announce a new master: a frozen one would never close its connections.
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
      // A command that failed is the caller's to replace; nothing is tried again behind its back.
      maxRedirections: MAX_REDIRECTIONS,
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      retryDelayOnTryAgain: 0,
      slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
      slotsRefreshInterval: SLOTS_REFRESH_MS,
      // Certificates name hosts: over TLS names are kept rather than replaced by the addresses behind them.
      ...(address.tls
        ? { dnsLookup: (host: string, done: (error: null, address: string) => void) => done(null, host) }
        : {}),
    },
  );
}

/** What holds for every connection. The client's own defaults wait for ever and queue without bound. */
function sharedOptions({ address }: RedisClientOptions) {
  return {
    username: address.credentials?.username,
    password: address.credentials?.password,
    // For what the client asks by itself; whoever uses it gives up much earlier.
    commandTimeout: SOCKET_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    // How long a peer that does not answer may delay the end of its connection.
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    enableOfflineQueue: false,
    // With 1 the client would neither resend nor reject what was under way when a connection ended.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    maxLoadingRetryTime: LOADING_RETRY_MS,
    // A master that was demoted keeps its connections: leaving it is how the new one is found.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    disableClientInfo: true,
  } satisfies RedisOptions;
}

/** Certificates are always verified. @param host what is sent as server name, where it is known before connecting */
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

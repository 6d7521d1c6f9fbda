import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Cluster, Redis, type RedisCommander, type RedisOptions, ReplyError } from 'ioredis';
import type { RedisAddress } from './redis-address.js';
import type { RedisClient, RedisClientOptions, RedisCommands, RedisFault } from './redis-client.js';

const CONNECT_TIMEOUT_MS = 500;
const SOCKET_TIMEOUT_MS = 500;
const DISCONNECT_TIMEOUT_MS = 100;
const RETRY_MS = 100;
/**
 * Long, because the library prints a line for each unreachable sentinel, and the other sentinels report failovers too.
 */
const SENTINEL_RECONNECT_MS = 30_000;
const LOADING_RETRY_MS = 250;
const SLOTS_REFRESH_MS = 5_000;
const MAX_REDIRECTIONS = 3;

/** Creates a client that starts connecting at once and keeps trying until it is closed. */
export function createRedisClient(options: RedisClientOptions): RedisClient {
  const { address } = options;
  switch (address.kind) {
    case 'standalone':
      return clientOfServer(standaloneClient(options, address), options);
    case 'sentinel':
      return clientOfServer(sentinelClient(options, address), options);
    case 'cluster':
      return clientOfCluster(clusterClient(options, address), options);
  }
}

function clientOfServer(client: Redis, options: RedisClientOptions): RedisClient {
  reportEvents(client, options);
  return {
    ...commandsOf(client, sharedTurns(client)),
    masters: () => [client],
    refreshSlots: () => undefined,
    faultOf,
    close: () => client.disconnect(),
  };
}

/** The library itself pipelines for clusters, where commands go to many servers. */
function clientOfCluster(client: Cluster, options: RedisClientOptions): RedisClient {
  reportEvents(client, options);
  return {
    ...commandsOf(client, () => undefined),
    masters: () => client.nodes('master'),
    refreshSlots: () => client.refreshSlotsCache(() => undefined),
    faultOf,
    close: () => client.disconnect(),
  };
}

/** Returns the library's own promises, without further steps, because reads are on a hot path. */
function commandsOf(client: RedisCommander, beforeCommand: () => void): RedisCommands {
  return {
    getrange: (key, start, end) => {
      beforeCommand();
      return client.getrange(key, start, end);
    },
    set: (key, value, { ttlMs, onlyIfAbsent = false }) => {
      beforeCommand();
      return onlyIfAbsent ? client.set(key, value, 'PX', ttlMs, 'NX') : client.set(key, value, 'PX', ttlMs);
    },
    incrby: (key, by) => {
      beforeCommand();
      return client.incrby(key, by);
    },
  };
}

/**
 * Returns a function to call before each command, so that the commands of one turn of the event loop are sent in one
 * write. That costs half of the library's own pipelining.
 */
function sharedTurns(client: Redis): () => void {
  let isHeld = false;
  return () => {
    if (isHeld) return;
    // Undefined before the first connection.
    const stream: Redis['stream'] | undefined = client.stream;
    if (stream === undefined) return;
    isHeld = true;
    stream.cork();
    setImmediate(() => {
      isHeld = false;
      stream.uncork();
    });
  };
}

function reportEvents(client: Redis | Cluster, { onReady, onLost, onFault }: RedisClientOptions): void {
  const reportFault = (error: unknown) => onFault(faultOf(error));
  let isReady = false;
  // Without a listener the library prints errors to the console.
  client.on('error', reportFault);
  client.on('node error', reportFault);
  client.on('ready', () => {
    isReady = true;
    onReady();
  });
  // Also emitted for each failed attempt to connect.
  client.on('close', () => {
    if (isReady) onLost();
    isReady = false;
  });
}

const CODE = /^[A-Z][A-Z0-9_]{1,30}$/;

/**
 * Converts an error of the library. The error itself is dropped, because it contains the command with its arguments,
 * and at the handshake the password.
 */
function faultOf(error: unknown): RedisFault {
  if (!(error instanceof Error)) return { reason: 'connection', answered: false };
  if (error instanceof ReplyError) {
    const [word = ''] = error.message.split(' ', 1);
    return { reason: CODE.test(word) ? word : 'ERR', answered: true };
  }
  if (error.message === 'Command timed out') return { reason: 'timeout', answered: false };
  const code = 'code' in error ? error.code : undefined;
  return { reason: typeof code === 'string' && CODE.test(code) ? code : 'connection', answered: false };
}

function standaloneClient(
  options: RedisClientOptions,
  { node, database }: Extract<RedisAddress, { kind: 'standalone' }>,
): Redis {
  return new Redis({
    ...sharedOptions(options),
    ...node,
    db: database,
    retryStrategy: retryDelayMs,
    ...tlsOptions(options, node.host),
  });
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

/** Options of every connection. The library's own defaults wait forever and queue without bound. */
function sharedOptions({ address }: RedisClientOptions) {
  return {
    username: address.credentials?.username,
    password: address.credentials?.password,
    // For commands of the library itself; callers have a much shorter timeout.
    commandTimeout: SOCKET_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    // How long an unresponsive server may delay closing its connection.
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    enableOfflineQueue: false,
    // With 1 the library would neither resend nor reject the pending commands of a lost connection.
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

import { type Clock, type OutdatedServerError, systemClock } from '@vestibule/protocol';
import { checkedCertificates } from './certificates.js';
import { circuitBreaker } from './circuit-breaker.js';
import { withinTime } from './deadline.js';
import { unsafeEvictionPolicy } from './eviction-policy.js';
import { createRedisClient } from './ioredis-client.js';
import { outdatedServer } from './outdated-server.js';
import { parseRedisUrl, type RedisCredentials } from './redis-address.js';
import type { RedisClient, RedisCommands, RedisFault } from './redis-client.js';

/** Events of a connection, for metrics and logs. `fault` can come with every command. */
export type RedisEvent =
  /** Commands can be sent. */
  | { readonly event: 'ready' }
  /** The connection ended; the client is reconnecting. */
  | { readonly event: 'lost' }
  | { readonly event: 'breaker_opened' }
  | { readonly event: 'breaker_closed' }
  | { readonly event: 'fault'; readonly reason: RedisFault['reason'] }
  /**
   * The server may evict entries before they expire, so only their lifetimes bound how late a revocation takes effect.
   */
  | { readonly event: 'unsafe_eviction_policy'; readonly policy: string }
  /** The server version is not supported; it is used nevertheless. */
  | { readonly event: 'outdated_server'; readonly error: OutdatedServerError };

/** Options of `connectRedis`. */
export interface RedisConnectionOptions {
  /** The address, in one of the forms of `parseRedisUrl`. */
  readonly url: string;
  /** PEM certificates to trust instead of the system's, for TLS addresses. */
  readonly ca?: string;
  /** Credentials for the sentinels; absent if they need none. */
  readonly sentinelCredentials?: RedisCredentials;
  /** Timeout of a command, in milliseconds. Default 100. */
  readonly commandTimeoutMs?: number;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Receives every event. Must not throw. */
  readonly onEvent?: (event: RedisEvent) => void;
}

/** The outcome of a command that was not executed, or whose result is unknown. */
export const UNAVAILABLE: unique symbol = Symbol('unavailable');

/** A connection to Redis whose commands have a timeout and never reject. */
export interface RedisConnection {
  /**
   * Runs commands. Resolves with `UNAVAILABLE` when there is no connection, the server responds with an error, or the
   * command times out (the server may still execute it); at once while the breaker is open. Commands of one turn of the
   * event loop are pipelined.
   */
  run<Reply>(send: (commands: RedisCommands) => Promise<Reply>): Promise<Reply | typeof UNAVAILABLE>;
  /** Whether every master responds; sent even while the breaker is open. */
  ping(): Promise<boolean>;
  /** Whether commands fail without being sent. */
  readonly isBreakerOpen: boolean;
  /** Closes the connection for good. Pending commands resolve with `UNAVAILABLE`. */
  close(): void;
}

const COMMAND_TIMEOUT_MS = 100;
const PROBE_INTERVAL_MS = 250;

/**
 * Connects to Redis in the background, and reconnects for as long as the process runs. After five failures within a
 * second commands fail at once, and the servers are pinged every quarter of a second until they respond.
 * @throws TypeError when the address or the certificates are invalid; its message contains nothing of them
 */
export function connectRedis({
  url,
  ca,
  sentinelCredentials,
  commandTimeoutMs = COMMAND_TIMEOUT_MS,
  clock = systemClock,
  onEvent = () => undefined,
}: RedisConnectionOptions): RedisConnection {
  const client: RedisClient = createRedisClient({
    address: parseRedisUrl(url),
    ...(ca === undefined ? {} : { ca: checkedCertificates(ca) }),
    ...(sentinelCredentials === undefined ? {} : { sentinelCredentials }),
    onReady: () => {
      onEvent({ event: 'ready' });
      void reportServerProblems(client, onEvent);
    },
    onLost: () => onEvent({ event: 'lost' }),
    onFault: ({ reason }) => onEvent({ event: 'fault', reason }),
  });
  const ping = () => isAlive(client, commandTimeoutMs);
  const breaker = probedBreaker({ clock, ping, onEvent });
  let isClosed = false;
  return {
    run: async (send) => {
      if (isClosed || breaker.isOpen) return UNAVAILABLE;
      const outcome = await withinTime(() => send(client), commandTimeoutMs, client.faultOf);
      if ('reply' in outcome) return outcome.reply;
      onEvent({ event: 'fault', reason: outcome.fault.reason });
      // In a cluster another server may hold the key by now.
      client.refreshSlots();
      if (!outcome.fault.answered) breaker.failed();
      return UNAVAILABLE;
    },
    ping,
    get isBreakerOpen() {
      return breaker.isOpen;
    },
    close: () => {
      isClosed = true;
      breaker.stop();
      client.close();
    },
  };
}

/** A circuit breaker that pings the servers while it is open, so that no command has to wait to find out. */
function probedBreaker(deps: {
  readonly clock: Clock;
  readonly ping: () => Promise<boolean>;
  readonly onEvent: (event: RedisEvent) => void;
}) {
  const breaker = circuitBreaker({ clock: deps.clock });
  let timer: NodeJS.Timeout | undefined;
  const probe = async () => {
    if (!(await deps.ping()) || !breaker.isOpen) return;
    clearInterval(timer);
    breaker.close();
    deps.onEvent({ event: 'breaker_closed' });
  };
  return {
    get isOpen() {
      return breaker.isOpen;
    },
    failed: () => {
      if (!breaker.failed()) return;
      deps.onEvent({ event: 'breaker_opened' });
      timer = setInterval(() => void probe(), PROBE_INTERVAL_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}

async function isAlive(client: RedisClient, timeoutMs: number): Promise<boolean> {
  const servers = client.masters();
  const outcomes = await Promise.all(
    servers.map((server) => withinTime(() => server.ping(), timeoutMs, client.faultOf)),
  );
  return servers.length > 0 && outcomes.every((outcome) => 'reply' in outcome);
}

async function reportServerProblems(
  client: RedisClient,
  onEvent: (event: RedisEvent) => void,
): Promise<void> {
  const [policy, error] = await Promise.all([unsafeEvictionPolicy(client), outdatedServer(client)]);
  if (policy !== undefined) onEvent({ event: 'unsafe_eviction_policy', policy });
  if (error !== undefined) onEvent({ event: 'outdated_server', error });
}

import { type Clock, type OutdatedServerError, systemClock } from '@vestibule/protocol';
import { Cluster } from 'ioredis';
import { checkedCertificates } from './certificates.js';
import { circuitBreaker } from './circuit-breaker.js';
import { withinTime } from './deadline.js';
import { unsafeEvictionPolicy } from './eviction-policy.js';
import { outdatedServer } from './outdated-server.js';
import { parseRedisUrl, type RedisCredentials } from './redis-address.js';
import { createRedisClient, type RedisClient } from './redis-client.js';
import { type RedisFault, redisFault } from './redis-fault.js';
import { masters } from './server-info.js';
import { sharedTurns } from './shared-turns.js';

/** What happened to a connection. Counters and logs; a fault can come with every command. */
export type RedisEvent =
  /** Commands can be sent. */
  | { readonly event: 'ready' }
  /** The connection ended; the client goes on connecting. */
  | { readonly event: 'lost' }
  | { readonly event: 'breaker_opened' }
  | { readonly event: 'breaker_closed' }
  | { readonly event: 'fault'; readonly reason: RedisFault['reason'] }
  /** The server may drop entries that have not expired; the promise about revocations then rests on lifetimes alone. */
  | { readonly event: 'unsafe_eviction_policy'; readonly policy: string }
  /** The server is older than what is supported; it is used as far as it goes. */
  | { readonly event: 'outdated_server'; readonly error: OutdatedServerError };

/** How to connect. */
export interface RedisConnectionOptions {
  /** The address, in one of the forms of `parseRedisUrl`. */
  readonly url: string;
  /** PEM certificates to trust instead of the system's, for TLS addresses. */
  readonly ca?: string;
  /** How to log in to the sentinels; absent where they ask for nothing. */
  readonly sentinelCredentials?: RedisCredentials;
  /** How long a command may take before it counts as failed, in milliseconds, default 100. */
  readonly commandTimeoutMs?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Is told what happens. Must not throw. */
  readonly onEvent?: (event: RedisEvent) => void;
}

/** The outcome of a command that was not carried out, or about which nothing is known. */
export const UNAVAILABLE: unique symbol = Symbol('unavailable');

/** The commands that this package uses, each of one key; what an ACL rule has to allow. */
export interface RedisCommands {
  /** The bytes from `start` to `end`, both included; empty when there is no such key. */
  getrange(key: string, start: number, end: number): Promise<string>;
  set(key: string, value: string, unit: 'PX', ttlMs: number): Promise<'OK'>;
  set(key: string, value: string, unit: 'PX', ttlMs: number, condition: 'NX'): Promise<'OK' | null>;
  incrby(key: string, by: number): Promise<number>;
}

/** A connection to Redis that never makes its user wait for long and never rejects. */
export interface RedisConnection {
  /**
   * Runs commands. `UNAVAILABLE` when there is no connection, when the server refuses or when no response came within
   * the time for a command, whatever the server then did; at once while the breaker is open. Commands of one turn of
   * the event loop travel together.
   */
  run<Reply>(send: (commands: RedisCommands) => Promise<Reply>): Promise<Reply | typeof UNAVAILABLE>;
  /** Whether every master answers; asked whatever the breaker says. */
  ping(): Promise<boolean>;
  /** Whether commands are refused without being sent. */
  readonly isBreakerOpen: boolean;
  /** Ends the connection for good. Commands under way are `UNAVAILABLE`. */
  close(): void;
}

const COMMAND_TIMEOUT_MS = 100;
const PROBE_INTERVAL_MS = 250;

/**
 * Connects to Redis in the background and for as long as the process runs; a server that is not there yet is found
 * when it comes. After five failures within a second commands are refused at once, and the servers are asked every
 * quarter of a second whether they are back.
 * @throws TypeError when the address or the certificates cannot be read; its message holds nothing of them.
 */
export function connectRedis({
  url,
  ca,
  sentinelCredentials,
  commandTimeoutMs = COMMAND_TIMEOUT_MS,
  clock = systemClock,
  onEvent = () => undefined,
}: RedisConnectionOptions): RedisConnection {
  const client = createRedisClient({
    address: parseRedisUrl(url),
    ...(ca === undefined ? {} : { ca: checkedCertificates(ca) }),
    ...(sentinelCredentials === undefined ? {} : { sentinelCredentials }),
  });
  reportEvents(client, onEvent);
  const ping = () => isAlive(client, commandTimeoutMs);
  const breaker = probedBreaker({ clock, ping, onEvent });
  const shareTurn = sharedTurns(client);
  let isClosed = false;
  return {
    run: async (send) => {
      if (isClosed || breaker.isOpen) return UNAVAILABLE;
      shareTurn();
      const outcome = await withinTime(() => send(client), commandTimeoutMs);
      if ('reply' in outcome) return outcome.reply;
      onEvent({ event: 'fault', reason: outcome.fault.reason });
      // In a cluster someone else may answer for the key by now.
      if (client instanceof Cluster) client.refreshSlotsCache(() => undefined);
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
      client.disconnect();
    },
  };
}

/** A breaker that asks by itself whether it can close, so that no user of the connection has to wait to find out. */
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
  const nodes = masters(client);
  const outcomes = await Promise.all(nodes.map((node) => withinTime(() => node.ping(), timeoutMs)));
  return nodes.length > 0 && outcomes.every((outcome) => 'reply' in outcome);
}

function reportEvents(client: RedisClient, onEvent: (event: RedisEvent) => void): void {
  const reportFault = (error: unknown) => onEvent({ event: 'fault', reason: redisFault(error).reason });
  let isReady = false;
  // Without a listener the client prints its errors.
  client.on('error', reportFault);
  client.on('node error', reportFault);
  client.on('ready', async () => {
    isReady = true;
    onEvent({ event: 'ready' });
    const [policy, error] = await Promise.all([unsafeEvictionPolicy(client), outdatedServer(client)]);
    if (policy !== undefined) onEvent({ event: 'unsafe_eviction_policy', policy });
    if (error !== undefined) onEvent({ event: 'outdated_server', error });
  });
  client.on('close', () => {
    if (isReady) onEvent({ event: 'lost' });
    isReady = false;
  });
}

import type { RedisAddress, RedisCredentials } from './redis-address.js';

/** Options of `RedisCommands.set`. */
export interface RedisSetOptions {
  /** Lifetime of the entry, in milliseconds. */
  readonly ttlMs: number;
  /** Does not replace an existing entry (`NX`). Default false. */
  readonly onlyIfAbsent?: boolean;
}

/** The commands that this package uses, each with one key. The ACL user needs permission for them. */
export interface RedisCommands {
  /** The bytes from `start` to `end`, both included; empty when there is no such key. */
  getrange(key: string, start: number, end: number): Promise<string>;
  /** `null` when the entry exists and must not be replaced. */
  set(key: string, value: string, options: RedisSetOptions): Promise<'OK' | null>;
  incrby(key: string, by: number): Promise<number>;
}

/** A server that commands are sent to. */
export interface RedisServer {
  ping(): Promise<unknown>;
  /** Returns a section of `INFO`. */
  info(section: 'memory' | 'server'): Promise<string>;
}

/** Why a command or a connection failed. */
export interface RedisFault {
  /**
   * Stable reason for metrics and logs: `timeout`, `connection`, a system error code (`ECONNREFUSED`) or the first word
   * of the server's error reply (`OOM`, `NOPERM`, `WRONGPASS`). Contains nothing of a command or an address.
   */
  readonly reason: string;
  /** Whether the server responded, so that the connection works and a retry would fail in the same way. */
  readonly answered: boolean;
}

/** Options of a Redis client. Callbacks run after the client was returned, and must not throw. */
export interface RedisClientOptions {
  readonly address: RedisAddress;
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string;
  /** Credentials for the sentinels; absent if they need none. */
  readonly sentinelCredentials?: RedisCredentials;
  /** Called for each connection that is ready for commands. */
  readonly onReady: () => void;
  /** Called when a connection that was ready has ended. */
  readonly onLost: () => void;
  /** Called when connecting fails, or a connection does. */
  readonly onFault: (fault: RedisFault) => void;
}

/**
 * A client of one server, of the master that sentinels report, or of a cluster. It connects when it is created and
 * reconnects until it is closed. Commands of one turn of the event loop are pipelined. Without a connection they fail
 * at once, and they are not retried. A command that fails rejects or throws.
 */
export interface RedisClient extends RedisCommands {
  /** Lists the servers that commands are sent to; in a cluster, the masters that are known now. */
  masters(): readonly RedisServer[];
  /** Finds out again which server of a cluster holds which keys; without a cluster, does nothing. */
  refreshSlots(): void;
  /** Classifies an error with which a command failed. */
  faultOf(error: unknown): RedisFault;
  /** Closes the connection for good. Pending commands fail. */
  close(): void;
}

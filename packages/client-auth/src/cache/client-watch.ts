import type { ClientId } from '@vestibule/protocol';

/** Validity of cached client state. */
export interface ClientValidity {
  /** Whether the client has not changed since; false also if that is unknown. */
  isCurrent(): boolean;
  /** Whether the state was valid within the last seconds, which is enough while the store is unavailable. */
  wasRecentlyCurrent(): boolean;
}

/** Tracks whether cached client state is still valid. */
export interface ClientWatch {
  /** Call this before reading; call the returned function with the client that was read. */
  start(): (id: ClientId) => ClientValidity;
  /** Waits for a read, and uses the fallback if it fails or takes long. Without a fallback it keeps waiting. */
  orStaleFallback<Result>(read: Promise<Result>, staleFallback: () => Result | undefined): Promise<Result>;
}

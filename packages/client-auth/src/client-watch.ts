import type { ClientId } from '@vestibule/protocol';

/** What can be said of something that was read of a client. */
export interface ClientFacts {
  /** Whether nothing of the client has changed since; false too when that cannot be told. */
  stillHold(): boolean;
  /** Whether they held within the last seconds, for all that is known: enough while nobody can be asked. */
  heldLately(): boolean;
}

/** Knows when what was read of a client may no longer be true. */
export interface ClientWatch {
  /** To be called before reading. What it gives is called with the client whose facts were read. */
  start(): (id: ClientId) => ClientFacts;
  /** Waits for a read, and falls back when it fails or takes long; without anything to fall back on it waits on. */
  orStaleFallback<Result>(read: Promise<Result>, staleFallback: () => Result | undefined): Promise<Result>;
}

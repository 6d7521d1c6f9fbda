import type { ClientId } from '@vestibule/protocol';

/** Whether nothing of what was read has changed since; false too when that cannot be told. */
export type StillHolds = () => boolean;

/** Knows when what was read of a client may no longer be true. */
export interface ClientWatch {
  /** To be called before reading. What it gives is called with the client whose facts were read. */
  start(): (id: ClientId) => StillHolds;
}

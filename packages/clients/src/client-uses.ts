import type { Client } from './client.js';

/**
 * Told whenever a client is used: it proved who it is, or a token was issued to it. Managing its registration is no use
 * of a client.
 */
export interface ClientUses {
  /** Returns at once and never fails; the use is written a little later, and not each one. */
  record(client: Pick<Client, 'id' | 'lastUsedAt'>): void;
}

import type { Client } from './client.js';

/** Records uses of clients: authentication, or a token issued to the client. Managing its registration is not a use. */
export interface ClientUses {
  /** Returns at once and never throws. The use is written later, and frequent uses are merged. */
  record(client: Pick<Client, 'id' | 'lastUsedAt'>): void;
}

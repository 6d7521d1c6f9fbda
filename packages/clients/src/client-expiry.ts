import type { EpochSeconds } from '@vestibule/protocol';
import type { Client } from './client.js';

/** Whether a registration has expired at `now`. An expired client is unknown. */
export function isClientExpired(client: Pick<Client, 'expiresAt'>, now: EpochSeconds): boolean {
  return client.expiresAt !== undefined && client.expiresAt <= now;
}

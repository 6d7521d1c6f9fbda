import { randomBytes } from 'node:crypto';
import type { Store } from '@vestibule/database';
import { epochSeconds, nowSeconds, systemClock } from '@vestibule/protocol';

/** A client's part in a login, under a name of its own for it. */
export interface Part {
  readonly clientId: string;
  readonly sid: string;
}

/** A login as the authorisation server would have stored it. */
export interface OpenedLogin {
  /** The provider's identifier of the session. */
  readonly id: string;
  /** The header with which a browser shows it. */
  readonly cookie: string;
}

const LIFETIME_SECONDS = 3_600;

/** Logs Alice in, in a session of her own, with the parts that clients take in it. */
export async function logIn(
  { digester, database }: Pick<Store, 'digester' | 'database'>,
  partsOf: (id: string) => readonly Part[],
): Promise<OpenedLogin> {
  const id = randomBytes(12).toString('hex');
  const now = nowSeconds(systemClock);
  const session = {
    id,
    cookieDigest: digester.digest('session-cookie', id),
    subject: 'alice',
    payload: {},
    expiresAt: epochSeconds(now + LIFETIME_SECONDS),
    clients: partsOf(id),
  };
  await database.providerRecords.sessions.save(session, now);
  return { id, cookie: `__Host-vestibule_session=${id}` };
}

import { randomBytes } from 'node:crypto';
import type { Store } from '@vestibule/database';
import { epochSeconds, nowSeconds, systemClock } from '@vestibule/protocol';

/** The participation of a client in a session, under its own `sid`. */
export interface Part {
  readonly clientId: string;
  readonly sid: string;
}

/** A session as the authorization server would have stored it. */
export interface OpenedLogin {
  /** The provider's identifier of the session. */
  readonly id: string;
  /** The cookie header of the browser. */
  readonly cookie: string;
}

const LIFETIME_SECONDS = 3_600;

/** Signs Alice in, in a new session, with the given clients. */
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

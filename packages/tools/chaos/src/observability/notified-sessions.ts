import { randomBytes } from 'node:crypto';
import { nowSeconds, systemClock } from '@vestibule/protocol';
import type { TestEnvironment } from '../test-environment/test-environment.js';

/**
 * Opens a session of a new client that is notified of logouts at an address.
 * @returns the identifier of the session
 */
export async function openNotifiedSession(
  { installation }: TestEnvironment,
  logoutUri: string,
): Promise<string> {
  const { pool, store } = installation;
  const clientId = `notified-${randomBytes(8).toString('hex')}`;
  const metadata = {
    backchannel_logout_uri: logoutUri,
    backchannel_logout_session_required: true,
    id_token_signed_response_alg: 'ES256',
    subject_type: 'public',
  };
  await pool.query(
    `INSERT INTO client (id, metadata, rights, issued_at, updated_at) VALUES ($1, $2, '', now(), now())`,
    [clientId, metadata],
  );
  const id = randomBytes(12).toString('hex');
  const now = nowSeconds(systemClock);
  const session = {
    id,
    cookieDigest: store.digester.digest('session-cookie', id),
    subject: 'alice',
    payload: {},
    expiresAt: (now + 3_600) as typeof now,
    clients: [{ clientId, sid: `sid-${id}` }],
  };
  await store.database.providerRecords.sessions.save(session, now);
  return id;
}

import { randomBytes } from 'node:crypto';
import { storeClient } from '@vestibule/testkit/logins';
import type { Installation } from '../test-environment/installation.js';

/** Registers a client that is notified of logouts at a local port. @returns its identifier */
export async function notifiedClient({ pool }: Installation, port: number): Promise<string> {
  const clientId = `notified-${randomBytes(8).toString('hex')}`;
  await storeClient(pool, clientId, {
    backchannel_logout_uri: `http://127.0.0.1:${port}/logout`,
    backchannel_logout_session_required: true,
    id_token_signed_response_alg: 'ES256',
    subject_type: 'public',
  });
  return clientId;
}

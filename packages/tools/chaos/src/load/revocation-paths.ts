import { nowSeconds, parseIssuer, systemClock } from '@vestibule/protocol';
import { revokeToken } from '@vestibule/tokens/revocation';
import { type Installation, ISSUER } from '../test-environment/installation.js';
import type { IsolatedToken, TokenFormat } from './isolated-token.js';

/** A kind of revocation in the database. Instances are notified by the database only. */
export interface RevocationPath {
  readonly name: string;
  readonly formats: readonly TokenFormat[];
  revoke(installation: Installation, token: IsolatedToken): Promise<unknown>;
}

const BOTH = ['identifier', 'jwt'] as const;
const now = () => nowSeconds(systemClock);

/** Every kind of revocation that affects a single token, except use. */
export const REVOCATION_PATHS: readonly RevocationPath[] = [
  path('the token', BOTH, ({ store }, { token }) =>
    revokeToken(
      {
        ...store.database,
        issuer: parseIssuer(ISSUER),
        keys: store.providerKeys,
        clock: systemClock,
        digester: store.digester,
      },
      token,
    ),
  ),
  path('its client', BOTH, ({ store }, { name }) => store.database.revocations.revokeClient(name, now())),
  path('its subject', BOTH, ({ store }, { name }) =>
    store.database.revocations.revokeSubject(`subject-${name}`, now()),
  ),
  path('its session', BOTH, ({ store }, { name }) =>
    store.database.revocations.revokeSession(`session-${name}`, now()),
  ),
  path('deletion of its client', BOTH, ({ store }, { name }) => store.database.clients.delete(name, now())),
  sql('deletion of its client by SQL', BOTH, 'DELETE FROM client WHERE id = $1'),
  sql('suspension of its client', BOTH, `UPDATE client SET status = 'pending' WHERE id = $1`),
  sql('expiry of its client', BOTH, `UPDATE client SET expires_at = now() - interval '1 hour' WHERE id = $1`),
  sql('its authorization by SQL', ['identifier'], 'DELETE FROM "authorization" WHERE client_id = $1'),
  sql('its row by SQL', ['identifier'], 'DELETE FROM access_token WHERE client_id = $1'),
];

function path(
  name: string,
  formats: RevocationPath['formats'],
  revoke: RevocationPath['revoke'],
): RevocationPath {
  return { name, formats, revoke };
}

function sql(name: string, formats: RevocationPath['formats'], statement: string): RevocationPath {
  return path(name, formats, ({ pool }, token) => pool.query(statement, [token.name]));
}

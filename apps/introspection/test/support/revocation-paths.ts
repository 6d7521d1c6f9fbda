import type { Sql } from '@vestibule/local-services/testing';
import { type ClientId, type EpochSeconds, nowSeconds, systemClock } from '@vestibule/protocol';
import { revokeToken } from '@vestibule/tokens/revocation';
import type { TestService } from './test-service.js';

/**
 * A live token with a client, authorization, subject and session of its own, so that each revocation path affects only
 * this token.
 */
export interface SeparateToken {
  readonly name: string;
  readonly token: string;
  readonly format: 'identifier' | 'jwt';
}

/** A way to end a token; instances learn of it only through the database. */
export interface RevocationPath {
  readonly name: string;
  readonly formats: readonly SeparateToken['format'][];
  revoke(fixture: RevocationDeps, token: SeparateToken): Promise<unknown>;
}

/** Dependencies of the revocation paths. */
export interface RevocationDeps {
  readonly service: TestService;
  readonly sql: Sql;
}

const BOTH = ['identifier', 'jwt'] as const;
const now = (): EpochSeconds => nowSeconds(systemClock);

/** All revocation paths. */
export const REVOCATION_PATHS: readonly RevocationPath[] = [
  path('the token itself', BOTH, ({ service }, { token }) => revokeToken(service.revocationDeps, token)),
  path('its client, by revocation', BOTH, ({ service }, { name }) =>
    service.database.revocations.revokeClient(idOf(name), now()),
  ),
  path('its subject', BOTH, ({ service }, { name }) =>
    service.database.revocations.revokeSubject(`subject-${name}`, now()),
  ),
  path('its session', BOTH, ({ service }, { name }) =>
    service.database.revocations.revokeSession(`session-${name}`, now()),
  ),
  path('its client, by deletion', BOTH, ({ service }, { name }) =>
    service.database.clients.delete(idOf(name), now()),
  ),
  path('its client, by plain SQL', BOTH, ({ sql }, { name }) =>
    sql('DELETE FROM client WHERE id = $1', [name]),
  ),
  path('its client, suspended', BOTH, ({ sql }, { name }) =>
    sql(`UPDATE client SET status = 'pending' WHERE id = $1`, [name]),
  ),
  path('its client, expired', BOTH, ({ sql }, { name }) =>
    sql(`UPDATE client SET expires_at = now() - interval '1 hour' WHERE id = $1`, [name]),
  ),
  path('its authorization, by plain SQL', ['identifier'], ({ sql }, { name }) =>
    sql('DELETE FROM "authorization" WHERE id = $1', [`authorization-${name}`]),
  ),
  path('its row, by plain SQL', ['identifier'], ({ sql }, { name }) =>
    sql('DELETE FROM access_token WHERE client_id = $1', [name]),
  ),
];

/** Issues a token with a client, authorization, subject and session of its own. */
export async function aSeparateToken(
  { service, sql }: RevocationDeps,
  name: string,
  format: SeparateToken['format'],
): Promise<SeparateToken> {
  await service.register(name, { scope: 'read' });
  await sql(
    `INSERT INTO "authorization" (id, client_id, subject, payload, created_at) VALUES ($1, $2, $3, '{}', now())`,
    [`authorization-${name}`, name, `subject-${name}`],
  );
  const token = await service[format]({
    clientId: idOf(name),
    subject: `subject-${name}`,
    sessionId: `session-${name}`,
    ...(format === 'identifier' && { authorizationId: `authorization-${name}` }),
  });
  return { name, token, format };
}

function path(
  name: string,
  formats: RevocationPath['formats'],
  revoke: RevocationPath['revoke'],
): RevocationPath {
  return { name, formats, revoke };
}

function idOf(name: string): ClientId {
  return name as ClientId;
}

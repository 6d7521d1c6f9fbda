import type { EndedClient, LogoutSession, LogoutSessions } from '@vestibule/logout';
import type { ClientId } from '@vestibule/protocol';
import { because } from '../changes/because.js';
import { endedSessions, notifyMembers, RECEIVED_ID_TOKEN } from '../provider/session-records.js';
import { cutoffStatement, revokeTokens } from '../revocation-cutoff.js';
import type { RunStatement, Statement } from '../statement.js';
import { type Traceparent, untraced } from '../traced-statements.js';

/**
 * Selects the clients `members` that received an ID token or have a front channel, with their notifications in the
 * outbox; one row without a client if there was a session without such clients.
 */
const ENDED = `SELECT members.client_id, members.sid, notified.id::text AS delivery_id, (
    SELECT jsonb_object_agg(key, value) FROM jsonb_each(members.metadata)
    WHERE key LIKE 'client\\_name%' OR key LIKE 'frontchannel\\_logout\\_%'
  ) AS metadata
  FROM gone
  LEFT JOIN members ON members.id = gone.id
    AND (members.metadata->>'frontchannel_logout_uri' IS NOT NULL OR ${RECEIVED_ID_TOKEN})
  LEFT JOIN notified ON notified.client_id = members.client_id
  ORDER BY members.client_id`;

/** Selects and locks the session `$1` of the end-user `$2`. */
const HELD = `SELECT id, subject FROM session, ${because('logout')}
  WHERE id = $1 AND subject = $2 FOR UPDATE OF session`;

/**
 * The session statements of a logout. By hand, because each is one atomic statement over several tables; the read sees a
 * session and its clients at the same time.
 */
export const LOGOUT_SESSION_STATEMENTS = {
  findByCookie: {
    name: 'logout-session-find-by-cookie',
    text: `SELECT id, subject, ARRAY(
        SELECT jsonb_build_object('clientId', client_id, 'sid', sid) FROM session_client WHERE session_id = id
      ) AS clients
      FROM session
      WHERE cookie_digest = ANY($1::bytea[]) AND expires_at > to_timestamp($2) AND subject IS NOT NULL
      ORDER BY array_position($1::bytea[], cookie_digest) LIMIT 1`,
    repeatable: true,
  },
  end: {
    name: 'logout-session-end',
    text: `WITH ${endedSessions(HELD, '$3', '$4')},
      gone AS (
        DELETE FROM session WHERE id = ANY(ARRAY(SELECT id FROM ending)) RETURNING id
      )
      ${ENDED}`,
    repeatable: true,
  },
  leave: {
    name: 'logout-session-leave',
    // Locks the session first, like every statement that ends one, so that they cannot deadlock.
    text: `WITH held AS (
        ${HELD}
      ), members AS (
        SELECT held.id, held.subject, session_client.client_id, session_client.sid,
          session_client.has_id_token, client.metadata
        FROM held JOIN session_client ON session_client.session_id = held.id
        JOIN client ON client.id = session_client.client_id
        WHERE client.id = $4
        FOR UPDATE OF session_client
      ), revoked AS MATERIALIZED (
        ${revokeTokens({
          kind: 'session',
          names: 'ARRAY(SELECT id FROM members UNION SELECT sid FROM members)',
          owner: '$4',
        })}
      ), cutoff AS (
        ${cutoffStatement({
          kind: 'session',
          values: 'SELECT sid AS value FROM members WHERE sid IN (SELECT value FROM revoked)',
          second: '$3',
          isFinal: true,
        })}
      ), part AS (
        ${cutoffStatement({
          kind: 'session',
          values: `SELECT vestibule_part_of_session(id, client_id) AS value FROM members
            WHERE id IN (SELECT value FROM revoked)`,
          second: '$3',
          isFinal: true,
        })}
      ), notified AS (
        ${notifyMembers('$3', '$5')}
      ), gone AS (
        DELETE FROM session_client USING members
        WHERE session_client.session_id = members.id AND session_client.client_id = members.client_id
        RETURNING session_client.session_id AS id
      )
      ${ENDED}`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

interface EndedRow {
  readonly client_id: ClientId | null;
  readonly sid: string;
  readonly metadata: EndedClient['metadata'] | null;
  readonly delivery_id: string | null;
}

/** Creates the session store of the logout service in Postgres. */
export function logoutSessions(run: RunStatement, traceparent: Traceparent = untraced): LogoutSessions {
  const { findByCookie, end, leave } = LOGOUT_SESSION_STATEMENTS;
  return {
    findByCookie: async (digests, now) => (await run<LogoutSession>(findByCookie, [digests, now])).rows[0],
    end: async ({ id, subject }, now) =>
      ended((await run<EndedRow>(end, [id, subject, now, traceparent() ?? null])).rows),
    leave: async ({ id, subject }, clientId, now) =>
      ended((await run<EndedRow>(leave, [id, subject, now, clientId, traceparent() ?? null])).rows),
  };
}

function ended(rows: readonly EndedRow[]): readonly EndedClient[] | undefined {
  if (rows.length === 0) return undefined;
  return rows.flatMap(({ client_id: clientId, sid, metadata, delivery_id: deliveryId }) =>
    clientId === null
      ? []
      : [{ clientId, sid, metadata: metadata ?? {}, ...(deliveryId !== null && { deliveryId }) }],
  );
}

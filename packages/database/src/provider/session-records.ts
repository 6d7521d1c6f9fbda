import type { EpochSeconds } from '@vestibule/protocol';
import type {
  FoundSession,
  ProviderPayload,
  ProviderRecords,
  SessionClientRecord,
  SessionRecord,
} from '@vestibule/tokens/provider';
import { because } from '../changes/because.js';
import { member } from '../column-values.js';
import { recordClientUse } from '../record-client-use.js';
import { cutoffStatement, revokeTokens, SESSIONS_AT_ONCE } from '../revocation-cutoff.js';
import type { RunStatement, Statement } from '../statement.js';
import { type Traceparent, untraced } from '../traced-statements.js';

const FIND = `SELECT session.payload, ARRAY(
    SELECT jsonb_build_object('clientId', client_id, 'sid', sid) FROM session_client WHERE session_id = session.id
  ) AS clients FROM session`;

/** Builds the condition for sessions by their own identifier or by the `sid` of a client. */
export function named(name: string): string {
  return `id = ANY(ARRAY(
      SELECT ${name}::text UNION SELECT session_id FROM session_client WHERE sid = ${name}))`;
}

/** Condition for clients of `members` that received an ID token, not only an access token without `openid`. */
export const RECEIVED_ID_TOKEN = `(members.has_id_token OR NOT EXISTS (
        SELECT FROM session JOIN "authorization" AS allowed
          ON allowed.id = session.payload->'authorizations'->members.client_id->>'grantId'
        WHERE session.id = members.id
          AND NOT coalesce(allowed.payload->'openid'->>'scope', '') ~ '(^| )openid( |$)'
      ))`;

/**
 * Builds the INSERT of one notification for each client of `members` that is registered for back-channel logout (OpenID
 * Connect Back-Channel Logout 1.0 section 2.2) and received an ID token, not only an access token without `openid`.
 * Each contains the trace context of the request that ended the session, if it is traced. For clients with pairwise
 * subjects the end-user is stored in a separate column, because the client knows another identifier.
 */
export function notifyMembers(now: string, traceparent: string): string {
  return `INSERT INTO logout_delivery
        (client_id, uri, subject, account_id, sid, session_id, next_attempt_at, created_at, traceparent)
      SELECT client_id, metadata->>'backchannel_logout_uri',
        CASE WHEN metadata->>'subject_type' = 'pairwise' THEN NULL ELSE subject END,
        CASE WHEN metadata->>'subject_type' = 'pairwise' THEN subject END,
        sid, id, to_timestamp(${now}), to_timestamp(${now}), ${traceparent}::text
      FROM members WHERE metadata->>'backchannel_logout_uri' IS NOT NULL AND ${RECEIVED_ID_TOKEN}
      RETURNING id, client_id`;
}

/**
 * Builds the statement that ends the sessions of a query `ending` (id, subject) and the tokens that end with them,
 * self-contained ones by either identifier, and adds one notification for each client that is registered for
 * back-channel logout. The query locks its rows, so that only one of several such statements notifies the clients of a
 * session; the clients are read after the lock.
 */
function endStatement(ending: string, now: string, traceparent: string): string {
  return `WITH ${endedSessions(ending, now, traceparent)} DELETE FROM session WHERE id = ANY(ARRAY(SELECT id FROM ending)) RETURNING id`;
}

/** Builds the statement that ends the session with an identifier of its own or the `sid` of a client. */
export function endNamed(reason: 'logout' | 'operator'): string {
  const ending = `SELECT id, subject FROM session, ${because(reason)} WHERE ${named('$1')} FOR UPDATE OF session`;
  return endStatement(ending, '$2', '$3');
}

/**
 * Builds the common table expressions of a statement that deletes sessions: `ending`, and their clients as `members`.
 */
export function endedSessions(ending: string, now: string, traceparent: string): string {
  return `ending AS (${ending}), members AS (
      SELECT ending.id, ending.subject, client.id AS client_id, session_client.sid,
        session_client.has_id_token, client.metadata
      FROM ending CROSS JOIN LATERAL vestibule_session_clients(ending.id) AS session_client
      JOIN client ON client.id = session_client.client_id
    ), names AS (
      SELECT id AS value FROM ending UNION SELECT sid FROM members
    ), cutoff AS (
      ${cutoffStatement({
        kind: 'session',
        values: revokeTokens({ kind: 'session', names: 'ARRAY(SELECT value FROM names)' }),
        second: now,
        isFinal: true,
      })}
    ), notified AS (
      ${notifyMembers(now, traceparent)}
    )`;
}

/** The columns that saving a session sets. */
const SAVED_COLUMNS = ['cookie_digest', 'subject', 'payload', 'authenticated_at', 'expires_at'];
const SAVED_VALUES = ['$2', '$3', '$4', 'to_timestamp($5)', 'to_timestamp($7)'];
const SAVED = SAVED_COLUMNS.map((column, index) => `${column} = ${SAVED_VALUES[index]}`).join(', ');

/** Builds the condition that no session, and no client in a session, with this identifier has ended. */
function notEnded(name: string): string {
  return `NOT EXISTS (SELECT FROM revocation_cutoff WHERE kind = 'session' AND value = ${name})`;
}

/**
 * The statements for sessions. By hand, because each is one atomic statement over several tables; a read sees a session
 * and its clients at the same time.
 */
export const SESSION_RECORD_STATEMENTS = {
  // One statement, so that the previous cookie works until the new one does. The session may have ended since it was
  // read: a session that exists, or existed when the statement began, is updated and never created again.
  save: {
    name: 'provider-session-save',
    text: `WITH renewed AS (
        UPDATE session SET ${SAVED} WHERE id = $1 RETURNING id
      ), opened AS (
        INSERT INTO session (id, ${SAVED_COLUMNS.join(', ')}, created_at)
        SELECT $1, ${SAVED_VALUES.join(', ')}, to_timestamp($6)
        WHERE NOT EXISTS (SELECT FROM session WHERE id = $1) AND ${notEnded('$1')}
        ON CONFLICT (id) DO UPDATE SET ${SAVED}
        RETURNING id
      ), saved AS (
        SELECT id FROM renewed UNION ALL SELECT id FROM opened
      ), logged_in AS (
        INSERT INTO session_client (session_id, client_id, sid)
        SELECT saved.id, client.id, given.sid
        FROM saved, unnest($8::text[], $9::text[]) AS given (client_id, sid)
        JOIN client ON client.id = given.client_id
        WHERE ${notEnded('given.sid')} AND NOT EXISTS (
          SELECT FROM session_client
          WHERE session_id = $1 AND session_client.client_id = given.client_id AND session_client.sid = given.sid
        )
        ON CONFLICT (session_id, client_id) DO UPDATE SET sid = EXCLUDED.sid
        RETURNING client_id
      ), ${recordClientUse({ clients: 'SELECT client_id FROM logged_in', now: '$6::float8' })} SELECT`,
    repeatable: true,
  },
  // One statement, so that of parallel openings under one identifier one succeeds. A repeated one has the same cookie.
  // A session that exists when the statement begins is never created again, because it may end meanwhile. Nor is one that is
  // opened and ends meanwhile: its name is locked before the cut-offs are read.
  open: {
    name: 'provider-session-open',
    text: `WITH repeated AS (
        SELECT id FROM session WHERE id = $1 AND cookie_digest = $2 FOR UPDATE
      ), created AS (
        INSERT INTO session (id, ${SAVED_COLUMNS.join(', ')}, created_at)
        SELECT $1, ${SAVED_VALUES.join(', ')}, to_timestamp($6)
        WHERE CASE
          WHEN EXISTS (SELECT FROM session WHERE id = $1) THEN false
          WHEN EXISTS (SELECT FROM session_client WHERE sid = $1) THEN false
          ELSE NOT vestibule_is_name_used_up($1)
        END
        ON CONFLICT (id) DO UPDATE SET id = EXCLUDED.id WHERE session.cookie_digest = EXCLUDED.cookie_digest
        RETURNING id
      ), opened AS (
        SELECT id FROM repeated UNION ALL SELECT id FROM created
      ), logged_in AS (
        INSERT INTO session_client (session_id, client_id, sid)
        SELECT opened.id, client.id, given.sid
        FROM opened, unnest($8::text[], $9::text[]) AS given (client_id, sid)
        JOIN client ON client.id = given.client_id
        ON CONFLICT (session_id, client_id) DO NOTHING
        RETURNING client_id
      ), ${recordClientUse({ clients: 'SELECT client_id FROM logged_in', now: '$6::float8' })} SELECT id FROM opened`,
    repeatable: true,
  },
  findByCookie: {
    name: 'provider-session-find-by-cookie',
    text: `${FIND} WHERE cookie_digest = ANY($1::bytea[]) AND expires_at > to_timestamp($2) LIMIT 1`,
    repeatable: true,
  },
  find: {
    name: 'provider-session-find',
    text: `${FIND} WHERE id = $1 AND expires_at > to_timestamp($2)`,
    repeatable: true,
  },
  destroyByCookie: {
    name: 'provider-session-destroy-by-cookie',
    text: endStatement(
      `SELECT id, subject FROM session, ${because('logout')}
        WHERE cookie_digest = ANY($1::bytea[]) FOR UPDATE OF session`,
      '$2',
      '$3',
    ),
    repeatable: true,
  },
  // Locks the session first, like every statement that ends one, so that of an end and an addition one sees the other.
  addClient: {
    name: 'provider-session-add-client',
    text: `WITH held AS (
        SELECT id FROM session
        WHERE ${named('$1')} AND subject = $2 AND expires_at > to_timestamp($3) FOR UPDATE
      ), entered AS (
        INSERT INTO session_client (session_id, client_id, sid, has_id_token)
        SELECT held.id, client.id, $5, true FROM held JOIN client ON client.id = $4
        ON CONFLICT (session_id, client_id) DO UPDATE SET has_id_token = true
        RETURNING sid, client_id
      ), ${recordClientUse({ clients: 'SELECT client_id FROM entered', now: '$3::float8' })}
      SELECT sid FROM entered`,
    repeatable: true,
  },
  identify: {
    name: 'provider-session-identify',
    text: `SELECT subject, (
        SELECT sid FROM session_client WHERE session_id = session.id AND client_id = $2
      ) AS sid
      FROM session WHERE ${named('$1')} AND subject IS NOT NULL AND expires_at > to_timestamp($3) LIMIT 1`,
    repeatable: true,
  },
  end: {
    name: 'provider-session-end',
    text: endNamed('logout'),
    repeatable: true,
  },
  // In a fixed order, so that two such statements cannot deadlock.
  endOfSubject: {
    name: 'provider-session-end-of-subject',
    text: endStatement(
      `SELECT id, subject FROM session, ${because('operator')}
        WHERE subject = $1 ORDER BY id LIMIT $4 FOR UPDATE OF session`,
      '$2',
      '$3',
    ),
    repeatable: true,
  },
  // Sessions without clients need no notification: the clean-up ends them.
  endExpired: {
    name: 'provider-session-end-expired',
    text: endStatement(
      `SELECT id, subject FROM session, ${because('expired')} WHERE expires_at <= to_timestamp($1)
         AND EXISTS (SELECT FROM session_client WHERE session_id = session.id)
         ORDER BY expires_at LIMIT $2 FOR UPDATE OF session SKIP LOCKED`,
      '$1',
      'NULL',
    ),
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

interface SessionRow {
  readonly payload: ProviderPayload;
  readonly clients: readonly SessionClientRecord[];
}

interface IdentifiedRow {
  readonly subject: string;
  readonly sid: string | null;
}

function savedValues(session: SessionRecord, now: EpochSeconds): readonly unknown[] {
  const { id, cookieDigest, subject, payload, authenticatedAt, expiresAt, clients } = session;
  const clientIds = clients.map(({ clientId }) => clientId);
  const sids = clients.map(({ sid }) => sid);
  return [id, cookieDigest, subject, payload, authenticatedAt, now, expiresAt, clientIds, sids];
}

/** Creates the store of sessions in Postgres. */
export function sessionRecords(
  run: RunStatement,
  traceparent: Traceparent = untraced,
): ProviderRecords['sessions'] {
  const found = async (
    statement: Statement,
    values: readonly unknown[],
  ): Promise<FoundSession | undefined> => {
    const [row] = (await run<SessionRow>(statement, values)).rows;
    return row && { payload: row.payload, clients: row.clients };
  };
  const { save, open, findByCookie, find, destroyByCookie, addClient, identify, end, endOfSubject } =
    SESSION_RECORD_STATEMENTS;
  return {
    save: async (session, now) => {
      await run(save, savedValues(session, now));
    },
    open: async (session, now) => (await run(open, savedValues(session, now))).rowCount > 0,
    findByCookie: (digests, now) => found(findByCookie, [digests, now]),
    find: (id, now) => found(find, [id, now]),
    destroyByCookie: async (digests, now) => {
      await run(destroyByCookie, [digests, now, traceparent() ?? null]);
    },
    addClient: async (name, { clientId, subject, sid }, now) =>
      (await run<{ sid: string }>(addClient, [name, subject, now, clientId, sid])).rows[0]?.sid,
    identify: async (name, clientId, now) => {
      const [row] = (await run<IdentifiedRow>(identify, [name, clientId, now])).rows;
      return row && { subject: row.subject, ...member('sid', row.sid) };
    },
    endOfSubject: async (subject, now) => {
      let ended = 0;
      for (;;) {
        const values = [subject, now, traceparent() ?? null, SESSIONS_AT_ONCE];
        const { rowCount } = await run(endOfSubject, values);
        ended += rowCount;
        if (rowCount < SESSIONS_AT_ONCE) return ended;
      }
    },
    end: async (sid, now) => (await run(end, [sid, now, traceparent() ?? null])).rowCount > 0,
  };
}

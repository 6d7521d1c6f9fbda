import { type ClientId, type EpochSeconds, epochSeconds } from '@vestibule/protocol';
import { member } from '../column-values.js';
import { named, RECEIVED_ID_TOKEN } from '../provider/session-records.js';
import type { RunStatement, Statement } from '../statement.js';

/** A client in a session, for operators. */
export interface SessionMember {
  readonly clientId: ClientId;
  readonly name?: string;
  /** The identifier by which the client knows the session. */
  readonly sid: string;
  /** Whether it received an ID token in the session, and not only an access token. */
  readonly receivedIdToken: boolean;
  /** Whether it is registered for back-channel and front-channel logout. */
  readonly hasBackChannel: boolean;
  readonly hasFrontChannel: boolean;
}

/** A session that has not been ended, for operators. It may have expired. */
export interface ListedSession {
  readonly id: string;
  readonly subject?: string;
  readonly createdAt: EpochSeconds;
  readonly authenticatedAt?: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  /** The first clients, in the order of their identifiers. */
  readonly clients: readonly SessionMember[];
  /** Whether there are more clients after those. */
  readonly hasMoreClients: boolean;
}

/** The page of a list of sessions. */
export interface SessionListing {
  readonly subject: string;
  /** Only sessions before this one. */
  readonly before?: Pick<ListedSession, 'createdAt' | 'id'> | undefined;
  readonly limit: number;
  /** Most clients of each session. */
  readonly clients: number;
}

/** Lists the sessions of end-users for operators. */
export interface ListedSessions {
  /** Lists the sessions of an end-user, the latest first. */
  ofSubject(listing: SessionListing): Promise<readonly ListedSession[]>;
  /**
   * Finds a session by its own identifier or the `sid` of a client, with its clients after an identifier.
   * @param clients most clients
   */
  find(name: string, clients: number, after?: string): Promise<ListedSession | undefined>;
}

/** Builds the selection of a session with its clients after the parameter `after`, and at most `limit` of them. */
function selection(after: string, limit: string): string {
  return `SELECT id, subject, extract(epoch FROM created_at)::float8 AS "createdAt",
      extract(epoch FROM authenticated_at)::float8 AS "authenticatedAt",
      extract(epoch FROM expires_at)::float8 AS "expiresAt",
      ARRAY(
        SELECT jsonb_build_object('clientId', members.client_id, 'sid', members.sid,
          'name', members.metadata->>'client_name', 'receivedIdToken', ${RECEIVED_ID_TOKEN},
          'hasBackChannel', members.metadata->>'backchannel_logout_uri' IS NOT NULL,
          'hasFrontChannel', members.metadata->>'frontchannel_logout_uri' IS NOT NULL)
        FROM (
          SELECT session_client.session_id AS id, session_client.client_id, session_client.sid,
            session_client.has_id_token, client.metadata
          FROM session_client JOIN client ON client.id = session_client.client_id
          WHERE session_client.session_id = session.id AND session_client.client_id > ${after}::text
          ORDER BY session_client.client_id LIMIT ${limit}::integer
        ) AS members ORDER BY members.client_id
      ) AS clients
    FROM session`;
}

/** The statements of the list. By hand, because a read sees a session and its clients at the same time. */
export const LISTED_SESSION_STATEMENTS = {
  ofSubject: {
    name: 'listed-session-of-subject',
    text: `${selection('$5', '$6')}
      WHERE subject = $1 AND (created_at, id) < (to_timestamp($2::float8), $3::text)
      ORDER BY created_at DESC, session.id DESC LIMIT $4`,
    repeatable: true,
  },
  find: {
    name: 'listed-session-find',
    text: `${selection('$2', '$3')} WHERE ${named('$1')} LIMIT 1`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

interface SessionRow {
  readonly id: string;
  readonly subject: string | null;
  readonly createdAt: number;
  readonly authenticatedAt: number | null;
  readonly expiresAt: number;
  readonly clients: readonly (Omit<SessionMember, 'name'> & { readonly name: string | null })[];
}

/** Creates the list of sessions in Postgres. */
export function listedSessions(run: RunStatement): ListedSessions {
  const { ofSubject, find } = LISTED_SESSION_STATEMENTS;
  return {
    ofSubject: async ({ subject, before, limit, clients }) => {
      const start = [before?.createdAt ?? Number.POSITIVE_INFINITY, before?.id ?? ''];
      const { rows } = await run<SessionRow>(ofSubject, [subject, ...start, limit, '', clients + 1]);
      return rows.map((row) => listedSession(row, clients));
    },
    find: async (name, clients, after = '') => {
      const [row] = (await run<SessionRow>(find, [name, after, clients + 1])).rows;
      return row && listedSession(row, clients);
    },
  };
}

function listedSession(row: SessionRow, limit: number): ListedSession {
  const { id, subject, createdAt, authenticatedAt, expiresAt, clients } = row;
  return {
    id,
    ...member('subject', subject),
    createdAt: epochSeconds(createdAt),
    ...member('authenticatedAt', authenticatedAt === null ? null : epochSeconds(authenticatedAt)),
    expiresAt: epochSeconds(expiresAt),
    clients: clients.slice(0, limit).map(({ name, ...same }) => ({ ...same, ...member('name', name) })),
    hasMoreClients: clients.length > limit,
  };
}

import type { ClientId } from '@vestibule/protocol';
import type { RunStatement, Statement } from './statement.js';

/** What belongs to a client, by kind. Each is counted up to {@link MAX_COUNTED}; expired rows that were not deleted count. */
export interface ClientHoldings {
  readonly accessTokens: number;
  readonly refreshTokens: number;
  readonly authorizations: number;
  /** Sessions in which end-users are logged in to the client. */
  readonly sessions: number;
  /** Logout notifications that were not delivered yet. They outlive the client. */
  readonly waitingDeliveries: number;
}

/** A count that is this large means this many or more. */
const MAX_COUNTED = 10_000;

const counted = (kind: keyof ClientHoldings, rows: string) =>
  `(SELECT count(*)::integer FROM (SELECT FROM ${rows} LIMIT ${MAX_COUNTED}) AS rows) AS "${kind}"`;

/** The statement that counts. By hand, because Prisma Client would need one for each kind, and cannot bound a count. */
export const CLIENT_HOLDINGS: Statement = {
  name: 'client-holdings',
  text: `SELECT ${[
    counted('accessTokens', 'access_token WHERE client_id = $1::text'),
    counted('refreshTokens', 'refresh_token WHERE client_id = $1::text'),
    counted('authorizations', '"authorization" WHERE client_id = $1::text'),
    counted('sessions', 'session_client WHERE client_id = $1::text'),
    counted('waitingDeliveries', `logout_delivery WHERE client_id = $1::text AND state = 'pending'`),
  ].join(', ')}`,
  repeatable: true,
};

/** Counts what belongs to a client. */
export async function clientHoldings(run: RunStatement, id: ClientId): Promise<ClientHoldings> {
  const { rows } = await run<ClientHoldings>(CLIENT_HOLDINGS, [id]);
  const [holdings] = rows;
  if (holdings === undefined) throw new TypeError('counts have no row');
  return holdings;
}

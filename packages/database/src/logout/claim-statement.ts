import { type ColumnsOf, selectList } from '../columns.js';
import type { LogoutDelivery } from '../generated/client.js';
import type { Statement } from '../statement.js';

/** What a claim returns of each delivery, besides its identifier. */
export const CLAIMED_COLUMNS = {
  clientId: 'text',
  uri: 'text',
  host: 'text',
  subject: 'text',
  accountId: 'text',
  sid: 'text',
  attempts: 'integer',
  traceparent: 'text',
} as const satisfies ColumnsOf<LogoutDelivery>;

/** Lanes (pairs of host and client) that one claim examines; the next claim continues after them. */
const LANES = 2_000;

/** Deliveries per lane that a claim examines, which is also the most that run at a host. */
const TURNS = 16;

/** Builds the query for the next lane with pending deliveries after a position in the order of lanes. */
function nextLane(after: string): string {
  return `SELECT host, client_id COLLATE "C" AS client_id FROM logout_delivery
    WHERE state = 'pending' AND (host, client_id COLLATE "C") > (${after})
    ORDER BY host, client_id COLLATE "C" LIMIT 1`;
}

/**
 * Claims deliveries. A lane consists of the pending deliveries of one client at one host. Lanes are found one after the
 * other by an index, independent of the number of deliveries in them. The first deliveries of all lanes are taken, then
 * the second ones and so on, as far as there are free slots per lane, per host and in total. The order within a turn is
 * random, so that no client is always the last.
 *
 * By hand, because it is one atomic statement that skips locked rows.
 *
 * A claimed delivery is due again when its lease ends, so that another process can take it over.
 *
 * Parameters: host and client to start after; hosts, their free slots, free slots of other hosts; total limit; lease in
 * milliseconds; hosts and clients of lanes, their free slots, free slots of other lanes. The first columns contain the
 * position after the last lane, in a row of their own if nothing was claimed.
 */
export const CLAIM: Statement = {
  name: 'logout-delivery-claim',
  text: `WITH RECURSIVE lane AS (
      (SELECT host, client_id, 1 AS number FROM (${nextLane('$1::text COLLATE "C", $2::text COLLATE "C"')}) AS first)
      UNION ALL
      SELECT next.host, next.client_id, lane.number + 1
      FROM lane CROSS JOIN LATERAL (${nextLane('lane.host, lane.client_id')}) AS next
      WHERE lane.number < ${LANES}
    ), of_host AS (
      SELECT * FROM unnest($3::text[], $4::integer[]) AS of_host (host, slots)
    ), of_lane AS (
      SELECT * FROM unnest($8::text[], $9::text[], $10::integer[]) AS of_lane (host, client_id, slots)
    ), every_lane AS (
      SELECT lane.host, lane.client_id, coalesce(of_host.slots, $5::integer) AS host_slots,
        LEAST(coalesce(of_host.slots, $5::integer), coalesce(of_lane.slots, $11::integer)) AS slots
      FROM lane LEFT JOIN of_host ON of_host.host = lane.host
      LEFT JOIN of_lane ON of_lane.host = lane.host AND of_lane.client_id COLLATE "C" = lane.client_id
    ), open_lane AS (
      SELECT host, client_id, host_slots, slots FROM every_lane WHERE slots > 0
    ), due AS (
      SELECT head.id, head.turn, open_lane.host_slots,
        row_number() OVER (PARTITION BY open_lane.host ORDER BY head.turn, random()) AS place
      FROM open_lane CROSS JOIN LATERAL (
        SELECT id, row_number() OVER (ORDER BY next_attempt_at, id) AS turn FROM (
          SELECT id, next_attempt_at FROM logout_delivery
          WHERE state = 'pending' AND host = open_lane.host AND client_id COLLATE "C" = open_lane.client_id
            AND next_attempt_at <= now()
          ORDER BY next_attempt_at, id LIMIT LEAST(open_lane.slots, ${TURNS})
        ) AS waiting
      ) AS head
    ), chosen AS (
      SELECT id FROM due WHERE place <= host_slots ORDER BY turn, random() LIMIT $6
    ), held AS (
      SELECT id FROM logout_delivery
      WHERE id = ANY(ARRAY(SELECT id FROM chosen)) AND state = 'pending' AND next_attempt_at <= now()
      FOR UPDATE SKIP LOCKED
    ), taken AS (
      UPDATE logout_delivery SET attempts = attempts + 1,
        next_attempt_at = now() + $7::float8 * interval '1 millisecond',
        leased_until = now() + $7::float8 * interval '1 millisecond'
      WHERE id = ANY(ARRAY(SELECT id FROM held))
      RETURNING id::text AS id, ${selectList(CLAIMED_COLUMNS)},
        extract(epoch FROM now() - coalesce(redelivered_at, created_at))::float8 * 1000 AS "ageMs"
    ), last_lane AS (
      SELECT host, client_id, number FROM lane ORDER BY number DESC LIMIT 1
    )
    SELECT last_lane.host AS "lastHost", last_lane.client_id AS "lastClientId",
      coalesce(last_lane.number = ${LANES}, false) AS "isCutOff", taken.*
    FROM (SELECT 1) AS always LEFT JOIN last_lane ON true LEFT JOIN taken ON true`,
  // An attempt without a response may have claimed deliveries; these are due when their lease ends.
  repeatable: false,
};

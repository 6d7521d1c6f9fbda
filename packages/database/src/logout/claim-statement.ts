import type { Statement } from '../statement.js';

/** Hosts and clients that are looked at by one claim; the next one goes on behind them. */
const LANES = 2_000;

/** Deliveries of one client that are looked at: at most so many run at a host. */
const TURNS = 16;

/** What waits of a host and a client, after a place in the order of the two. */
function nextLane(after: string): string {
  return `SELECT host, client_id COLLATE "C" AS client_id FROM logout_delivery
    WHERE state = 'pending' AND (host, client_id COLLATE "C") > (${after})
    ORDER BY host, client_id COLLATE "C" LIMIT 1`;
}

/**
 * Claims deliveries. A lane is what waits of one client at one host; the lanes are found one after the other by their
 * index, however much waits in each. Of the first deliveries of all lanes, then the second ones and so on, as many are
 * taken as there are slots for each lane, at each host and for all; chance decides between equals, so that no client is
 * always the last.
 *
 * A claimed delivery is due again when its lease ends, which is all that it takes to be taken over.
 *
 * Parameters: host and client to begin after; hosts, their free slots, those of other hosts; how many in all; the lease
 * in milliseconds; hosts and clients of lanes, their free slots, those of other lanes. The first columns tell where the
 * lanes ended, in a row of their own if nothing was taken.
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
      RETURNING id::text AS id, client_id, uri, host, subject, account_id, sid, attempts, traceparent,
        extract(epoch FROM now() - coalesce(redelivered_at, created_at))::float8 * 1000 AS age_ms
    ), last_lane AS (
      SELECT host, client_id, number FROM lane ORDER BY number DESC LIMIT 1
    )
    SELECT last_lane.host AS last_host, last_lane.client_id AS last_client_id,
      coalesce(last_lane.number = ${LANES}, false) AS is_cut_off, taken.*
    FROM (SELECT 1) AS always LEFT JOIN last_lane ON true LEFT JOIN taken ON true`,
  // A try that got no response may have claimed; those are due when their lease ends.
  repeatable: false,
};

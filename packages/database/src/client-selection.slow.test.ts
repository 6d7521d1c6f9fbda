import type { ClientFilter, ClientPosition } from '@vestibule/clients/management';
import { epochSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { clientSelection } from './client-selection.js';
import { opened } from './testing/fixtures.js';
import { aMigratedDatabase, query } from './testing/test-database.js';

/** Many ordinary clients, and a few that match each filter. */
const ROWS = `
  INSERT INTO client (id, metadata, rights, origin, status, issued_at, updated_at)
  SELECT 'c' || n,
    jsonb_build_object(
      'client_name', 'Client ' || n,
      'client_name#de', 'Kunde ' || n,
      'redirect_uris', jsonb_build_array('https://app' || n || '.example/cb'),
      'contacts', jsonb_build_array('owner' || n / 10 || '@example.org', 'ops@example.org'),
      'grant_types', CASE WHEN n % 1000 = 0 THEN '["password"]' ELSE '["authorization_code"]' END::jsonb)
      || CASE WHEN n % 1000 = 1 THEN jsonb_build_object('software_id', 'soft-' || n) ELSE '{}' END,
    '',
    CASE WHEN n % 1000 = 2 THEN 'import' ELSE 'registration' END::client_origin,
    CASE WHEN n % 1000 = 3 THEN 'pending' WHEN n % 1000 = 4 THEN 'suspended' ELSE 'active' END::client_status,
    to_timestamp(n), now()
  FROM generate_series(1, 20000) n;
  ANALYZE client`;

const RARE: readonly (readonly [ClientFilter, string])[] = [
  [{ namePrefix: 'client 1999' }, 'client_name_idx'],
  [{ redirectUri: 'https://app7.example/cb' }, 'client_redirect_uris_idx'],
  [{ contact: 'Owner7@example.org' }, 'client_contacts_idx'],
  [{ grantType: 'password' }, 'client_grant_types_idx'],
  [{ softwareId: 'soft-1001' }, 'client_software_id_idx'],
  [{ origin: 'import' }, 'client_origin_idx'],
  [{ status: 'pending' }, 'client_pending_idx'],
  [{ status: 'suspended' }, 'client_suspended_idx'],
  [{ issuedAfter: epochSeconds(19_990) }, 'client_issued_at_id_idx'],
  [{ issuedBefore: epochSeconds(10) }, 'client_issued_at_id_idx'],
];

const COMMON: readonly ClientFilter[] = [
  {},
  { namePrefix: 'client' },
  { contact: 'ops@example.org' },
  { grantType: 'authorization_code' },
  { origin: 'registration' },
  { status: 'active' },
];

// Otherwise the cost of a page would grow with the number of clients.
it('finds rare values by an index, and reads common values in the order of issue', async () => {
  const url = await aMigratedDatabase();
  await query(url, ROWS);
  const planOf = async (filter: ClientFilter) => {
    const { statement, values } = clientSelection({ filter, now: epochSeconds(0) }, 101);
    const lines = await query<{ 'QUERY PLAN': string }>(url, `EXPLAIN ${statement.text}`, [...values]);
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  };
  for (const [filter, index] of RARE) expect(await planOf(filter), JSON.stringify(filter)).toContain(index);
  for (const filter of COMMON) {
    const plan = await planOf(filter);
    expect(plan, JSON.stringify(filter)).toContain('client_issued_at_id_idx');
    expect(plan).not.toContain('Sort');
  }
});

it('reads the last issued clients first by the same indexes, each once', async () => {
  const url = await aMigratedDatabase();
  await query(url, ROWS);
  const clients = opened({ url, poolSize: 1 }).clients;
  const found: string[] = [];
  let after: ClientPosition | undefined;
  do {
    const selection = {
      filter: { status: 'pending' },
      isNewestFirst: true,
      ...(after && { after }),
    } as const;
    const page = await clients.page(selection, 7);
    found.push(...page.clients.map(({ id }) => id));
    after = page.next;
  } while (after !== undefined);
  expect(found).toEqual(Array.from({ length: 20 }, (_, index) => `c${19_003 - index * 1_000}`));
  for (const [filter, index] of [
    [{ status: 'pending' }, 'client_pending_idx'],
    [{}, 'client_issued_at_id_idx'],
  ] as const) {
    for (const position of [undefined, { issuedAtMs: 5_000_000, id: 'c5000' }]) {
      const { statement, values } = clientSelection(
        { filter, now: epochSeconds(0), isNewestFirst: true, ...(position && { after: position }) },
        26,
      );
      const lines = await query<{ 'QUERY PLAN': string }>(url, `EXPLAIN ${statement.text}`, [...values]);
      const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
      expect(plan).toContain(`Scan Backward using ${index}`);
      expect(plan).not.toContain('Sort');
    }
  }
});

it('has no value in the text of the statement', () => {
  const filter = {
    namePrefix: "x'1",
    namePart: "x'7",
    redirectUri: "x'8",
    contact: "x'9",
    grantType: "x'2",
    softwareId: "x'3",
    origin: "x'4",
    status: "x'5",
  } as unknown as ClientFilter;
  const { statement, values } = clientSelection({ filter, after: { issuedAtMs: 0, id: "x'6" } }, 1);
  expect(statement.text).not.toMatch(/x'\d/);
  expect(values).toEqual(
    expect.arrayContaining(["x'1", "x'7", '["x\'8"]', '["x\'9"]', '["x\'2"]', "x'3", "x'4", "x'5", "x'6"]),
  );
});

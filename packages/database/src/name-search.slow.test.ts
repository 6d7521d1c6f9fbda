import type { ClientFilter, ClientPosition, ClientSelection } from '@vestibule/clients/management';
import { epochSeconds } from '@vestibule/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type BoundStatement, clientSelection, pageOfClients, selectionInOrder } from './client-selection.js';
import type { RunStatement } from './statement.js';
import { opened } from './testing/fixtures.js';
import { aMigratedDatabase, query } from './testing/test-database.js';

/**
 * Clients with frequent and rare words in their names, in several languages. Only the first ones of all have the word
 * "Legacy", and a few have no name.
 */
const rows = (number: number) => `
  INSERT INTO client (id, metadata, rights, status, issued_at, updated_at, expires_at)
  SELECT 'c' || n,
    CASE WHEN n % 97 = 0 THEN '{}' ELSE jsonb_build_object('client_name', concat_ws(' ',
      (ARRAY['Client', 'Bank', 'İstanbul ΟΔΟΣ', 'Ёлка', 'Kunde'])[1 + n % 5],
      CASE WHEN n <= ${number / 10} THEN 'Legacy' END,
      CASE WHEN n % 900 = 7 THEN '銀行' END,
      n)) END
      || CASE WHEN n % 3 = 0 THEN jsonb_build_object('client_name#de', 'Kunde ' || n) ELSE '{}' END
      || CASE WHEN n % 70 = 0 THEN '{"grant_types": ["password"]}'::jsonb ELSE '{}' END,
    '',
    CASE WHEN n % 50 = 0 THEN 'pending' ELSE 'active' END::client_status,
    to_timestamp(n / 2), now(),
    CASE WHEN n % 10 = 0 THEN to_timestamp(n) END
  FROM generate_series(1, ${number}) n;
  VACUUM ANALYZE client`;

async function aRegistry(number = 20_000): Promise<string> {
  const url = await aMigratedDatabase();
  for (const statement of rows(number).split(';')) await query(url, statement);
  return url;
}

async function planOf(url: string, { statement, values }: BoundStatement, options = ''): Promise<string> {
  const lines = await query<{ 'QUERY PLAN': string }>(url, `EXPLAIN ${options} ${statement.text}`, [
    ...values,
  ]);
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

/** The filters of searches: for frequent, rare and missing parts, of two and more characters, alone and with others. */
const FILTERS: readonly ClientFilter[] = [
  { namePart: 'ient 1999' },
  { namePart: 'KUNDE 1999' },
  { namePart: '銀行' },
  { namePart: 'zz' },
  { namePart: '99' },
  { namePart: 'lient' },
  { namePart: 'kunde' },
  { namePart: 'kunde', status: 'active' },
  { namePart: 'legacy', issuedAfter: epochSeconds(100) },
];

/** A position in the middle of the list. */
const MIDDLE: ClientPosition = { issuedAtMs: 5_000_000, id: 'c10000' };

it('finds every part of a name by the index of names, and then sorts the clients', async () => {
  const url = await aRegistry();
  for (const filter of FILTERS)
    for (const after of [undefined, MIDDLE]) {
      const selection = { filter, now: epochSeconds(0), isNewestFirst: true, ...(after && { after }) };
      const plan = await planOf(url, clientSelection(selection, 26));
      expect(plan, JSON.stringify(filter)).toContain('client_name_pair_array_idx');
      expect(plan).toContain('Sort');
    }
});

it('reads a limited number of clients in the order of the list first', async () => {
  const url = await aRegistry();
  for (const filter of FILTERS)
    for (const isNewestFirst of [false, true])
      for (const after of [undefined, MIDDLE]) {
        const selection = { filter, isNewestFirst, ...(after && { after }) };
        const plan = await planOf(url, selectionInOrder(selection, 26), '(ANALYZE, TIMING OFF)');
        expect(plan, JSON.stringify(filter)).toContain('client_issued_at_id_idx');
        expect(plan).not.toContain('Sort');
        const [, read = '0'] =
          /client_issued_at_id_idx on client client_1.*rows=(\d+)[^(]*\)$/m.exec(plan) ?? [];
        expect(Number(read), plan).toBeGreaterThan(0);
        expect(Number(read)).toBeLessThanOrEqual(1_000);
      }
});

/** Runs statements, and records their names. */
function recorded(url: string): { readonly run: RunStatement; readonly names: string[] } {
  const names: string[] = [];
  const run: RunStatement = async <Row>(
    { name, text }: BoundStatement['statement'],
    values: readonly unknown[],
  ) => {
    names.push(name);
    const rows = await query<Row>(url, text, [...values]);
    return { rows, rowCount: rows.length };
  };
  return { run, names };
}

it('does not use the index for a part that is frequent at the position of the page', async () => {
  const url = await aRegistry();
  const statementsOf = async (selection: ClientSelection) => {
    const { run, names } = recorded(url);
    await pageOfClients(run, selection, 25);
    return names;
  };
  const inOrder = 'client-list-named-in-order-all';
  expect(await statementsOf({ filter: { namePart: 'kunde' } })).toEqual([inOrder]);
  expect(await statementsOf({ filter: { namePart: 'legacy' } })).toEqual([inOrder]);
  expect(await statementsOf({ filter: { namePart: 'legacy' }, isNewestFirst: true })).toEqual([
    `${inOrder}-newest`,
    'client-list-named-all-newest',
  ]);
  expect(await statementsOf({ filter: { namePart: '銀行' } })).toEqual([inOrder, 'client-list-named-all']);
});

/** What a search finds by comparing every client, in the order of issue. */
const PLAIN_SCAN = `
  SELECT id FROM client
  WHERE EXISTS (
      SELECT FROM jsonb_each_text(metadata) AS name (member, value)
      WHERE starts_with(member, 'client_name') AND position(vestibule_fold_case($1) IN vestibule_fold_case(value)) > 0)
    AND ($2::client_status IS NULL OR status = $2)
    AND ($3::float8 IS NULL OR expires_at IS NULL OR expires_at > to_timestamp($3))
    AND ($4::float8 IS NULL OR issued_at >= to_timestamp($4 + 1))
    AND ($5::float8 IS NULL OR issued_at < to_timestamp($5))
    AND ($6::text IS NULL OR metadata->'grant_types' ? $6)
  ORDER BY issued_at, id`;

it('returns the same pages as a comparison of every client', { timeout: 60_000 }, async () => {
  const url = await aRegistry(3_000);
  const { clients } = opened({ url, poolSize: 1 });
  const names = await query<{ name: string }>(
    url,
    `SELECT value AS name FROM client, jsonb_each_text(metadata) WHERE issued_at < to_timestamp(1000)`,
  );
  const part = fc
    .record({
      name: fc.constantFrom(...names.map(({ name }) => [...name])),
      start: fc.nat(12),
      length: fc.integer({ min: 2, max: 8 }),
      convert: fc.constantFrom(
        (text: string) => text,
        (text: string) => text.toUpperCase(),
        (text: string) => text.toLowerCase(),
      ),
    })
    .map(({ name, start, length, convert }) => convert(name.slice(start, start + length).join('')))
    .filter((text) => [...text].length >= 2);
  const search = fc.record({
    part: fc.oneof({ weight: 4, arbitrary: part }, fc.constantFrom('銀行', 'zz', 'legacy', '. ', '%_')),
    status: fc.constantFrom('active' as const, 'pending' as const, undefined),
    now: fc.constantFrom(epochSeconds(0), epochSeconds(1_500), undefined),
    isNewestFirst: fc.boolean(),
    limit: fc.integer({ min: 1, max: 150 }),
    issuedAfter: fc.constantFrom(epochSeconds(400), undefined),
    issuedBefore: fc.constantFrom(epochSeconds(1_200), undefined),
    grantType: fc.constantFrom('password', undefined),
    pages: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(search, async ({ isNewestFirst, now, limit, pages, ...members }) => {
      const { part: namePart, status, issuedAfter, issuedBefore, grantType } = members;
      const rows = await query<{ id: string }>(url, PLAIN_SCAN, [
        namePart,
        status,
        now,
        issuedAfter,
        issuedBefore,
        grantType,
      ]);
      const ids = rows.map(({ id }) => id);
      const expected = isNewestFirst ? ids.toReversed() : ids;
      let after: ClientPosition | undefined;
      for (let start = 0; start < pages * limit; start += limit) {
        const filter = {
          namePart,
          ...(status && { status }),
          ...(issuedAfter && { issuedAfter }),
          ...(issuedBefore && { issuedBefore }),
          ...(grantType && { grantType }),
        };
        const selection = {
          filter,
          isNewestFirst,
          ...(now !== undefined && { now }),
          ...(after && { after }),
        };
        const page = await clients.page(selection, limit);
        expect(page.clients.map(({ id }) => id)).toEqual(expected.slice(start, start + limit));
        expect(page.next !== undefined).toBe(expected.length > start + limit);
        after = page.next;
        if (after === undefined) return;
      }
    }),
    { numRuns: 60 },
  );
});

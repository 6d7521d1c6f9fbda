import fc from 'fast-check';
import { expect, it } from 'vitest';
import { aMigratedDatabase, query } from './testing/test-database.js';

/** The pairs of letters in all names, in order of pair. */
const PAIRS = `ARRAY(
  SELECT substr(name, start, 2) COLLATE "C" AS pair
  FROM jsonb_each_text($1) AS entry (member, text), vestibule_fold_case(text) AS name,
    generate_series(1, length(name) - 1) AS start
  WHERE starts_with(member, 'client_name') ORDER BY pair)`;
const FOUND = `ARRAY(SELECT pair FROM unnest(vestibule_name_pair_array($1)) AS pair ORDER BY pair COLLATE "C")`;

/** Members with and without a name, in one or several languages, and texts that look like one. */
const members = fc.dictionary(
  fc.constantFrom(
    'client_name',
    'client_name#de',
    'client_name#ja-Kana-JP',
    'client_names',
    'client_uri',
    '"client_name',
    '\\client_name',
  ),
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0')),
    fc.constantFrom('Ärzte ΟΔΟΣ', '銀行', '"client_name', '{"client_name": "x"}', '', null, 7, {}),
    fc.constantFrom({ client_name: 'nested' }, ['client_name']),
  ),
);

/** Short metadata, and such that is long because of another member. */
const metadata = fc.oneof(
  members,
  members.map((others) => ({ ...others, tos_uri: 'long'.repeat(3_000) })),
);

it('indexes every pair of letters of every name of a client, whatever its other members', async () => {
  const url = await aMigratedDatabase();
  await fc.assert(
    fc.asyncProperty(metadata, async (given) => {
      const statement = `SELECT ${PAIRS} AS pairs, ${FOUND} AS found FROM (SELECT $1::jsonb) AS given`;
      const [row] = await query<{ pairs: string[]; found: string[] }>(url, statement, [
        JSON.stringify(given),
      ]);
      expect(row?.found).toEqual(row?.pairs);
    }),
    { numRuns: 300 },
  );
});

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createDocumentFixture } from '../support/document-fixture.js';
import { authorizeAtFiveInstances } from '../support/other-instance.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

it('fetches a document once for 1,000 parallel authorization requests at five instances', {
  timeout: 120_000,
}, async () => {
  const fixture = await createDocumentFixture();
  const statuses = await authorizeAtFiveInstances(fixture, 1_000);
  expect(new Set(statuses)).toEqual(new Set([303]));
  expect(fixture.host.requests).toHaveLength(1);
});

/** Each client takes locks until its transaction ends. */
const BATCH = 2_000;

/** Copies of a client and of its document, for a range of URLs. */
const CLIENTS = `INSERT INTO client (id, metadata, rights, origin, issued_at, updated_at)
  SELECT $1 || n || '.json', metadata, rights, origin, issued_at, updated_at
  FROM client, generate_series($3::integer, $4::integer) n WHERE id = $2`;
const DOCUMENTS = `INSERT INTO client_metadata_document (url, client_id, rules, validated_at, fresh_until, history)
  SELECT $1 || n || '.json', $1 || n || '.json', rules, validated_at, fresh_until, history
  FROM client_metadata_document, generate_series($3::integer, $4::integer) n WHERE url = $2`;

it('remembers 100,000 documents in Postgres, and none in the process', { timeout: 300_000 }, async () => {
  const { find, host, sql } = await createDocumentFixture();
  const first = await find(host.publish('/0.json'));
  const prefix = host.url('/');
  for (let n = 1; n <= 100_000; n += BATCH) {
    const others = [prefix, first.id, n, n + BATCH - 1];
    await sql(CLIENTS, others);
    await sql(DOCUMENTS, others);
  }
  const look = async (from: number, to: number) => {
    for (let n = from; n < to; n += 100)
      await Promise.all(Array.from({ length: 100 }, (_, index) => find(`${prefix}${n + index}.json`)));
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await look(1, 5_001);
  const after = await look(5_001, 25_001);
  expect(host.requests).toHaveLength(1);
  // 20,000 clients in memory would need 30 MB.
  expect(after - before).toBeLessThan(8 * 1024 * 1024);
  expect(await sql('SELECT count(*)::integer AS count FROM client_metadata_document')).toEqual([
    { count: 100_001 },
  ]);
});

import { expect, it } from 'vitest';
import { createDocumentFixture } from '../support/document-fixture.js';
import { anotherInstance } from '../support/other-instance.js';

const CACHED = { 'cache-control': 'max-age=600' };

async function createFixture(settings: Readonly<Record<string, string>> = {}) {
  const here = await createDocumentFixture(settings);
  const { documents } = here.deps;
  if (documents === undefined) throw new TypeError('client ID metadata documents are off');
  return {
    ...here,
    renewDue: documents.renewDue,
    /** Registers the client of a document, and uses it. */
    publishUsed: async (path: string) => {
      const url = here.host.publish(path, {}, CACHED);
      const { id } = await here.find(url);
      await here.store.database.clients.markUsed(
        [id],
        Math.floor(here.deps.clock.nowMs() / 1000) as never,
        0,
      );
      return url;
    },
  };
}

it('deletes the client of a withdrawn document without a request for it, after the time of the operator', async () => {
  const { host, clock, stored, record, renewDue, publishUsed } = await createFixture({
    METADATA_DOCUMENT_WITHDRAWN_SECONDS: '900',
  });
  const url = await publishUsed('/client.json');
  host.serve('/client.json', { status: 410 });
  clock.advanceSeconds(599);
  await renewDue();
  expect(host.requests).toHaveLength(1);
  clock.advanceSeconds(1);
  await renewDue();
  expect(await record(url)).toMatchObject({ problem: { reason: 'withdrawn' } });
  clock.advanceSeconds(899);
  await renewDue();
  expect(host.requests).toHaveLength(2);
  expect(await stored(url)).toBeDefined();
  clock.advanceSeconds(1);
  await renewDue();
  expect(await stored(url)).toBeUndefined();
});

it('keeps the client if the operator says so, and asks again after an hour', async () => {
  const { host, clock, stored, renewDue, publishUsed } = await createFixture({
    METADATA_DOCUMENT_WITHDRAWN: 'refuse',
  });
  const url = await publishUsed('/client.json');
  host.remove('/client.json');
  clock.advanceSeconds(600);
  for (let hour = 1; hour <= 3; hour += 1) {
    await renewDue();
    await renewDue();
    expect(host.requests).toHaveLength(1 + hour);
    clock.advanceSeconds(3_600);
  }
  expect(await stored(url)).toBeDefined();
});

it('takes over what a document says now, and leaves unused and suspended clients alone', async () => {
  const { host, clock, find, stored, record, renewDue, publishUsed, sql } = await createFixture();
  const used = await publishUsed('/used.json');
  const suspended = await publishUsed('/suspended.json');
  await find(host.publish('/unused.json', {}, CACHED));
  await sql(`UPDATE client SET status = 'suspended' WHERE id = '${suspended}'`);
  host.publish('/used.json', { client_name: 'Renamed' }, CACHED);
  clock.advanceSeconds(600);
  await renewDue();
  expect((await stored(used))?.metadata).toMatchObject({ client_name: 'Renamed' });
  expect(await record(used)).toMatchObject({ freshUntil: Math.floor(clock.nowMs() / 1000) + 600 });
  expect(host.requests.map(({ path }) => path).slice(3)).toEqual(['/used.json']);
});

it('does not fetch from a host that is no longer permitted', async () => {
  const { host, clock, config, publishUsed, record } = await createFixture();
  const url = await publishUsed('/client.json');
  const hosts = new Set(['app.example']);
  const other = await anotherInstance({ clock, config: { ...config, CLIENT_ID_METADATA_DOCUMENTS: hosts } });
  clock.advanceSeconds(600);
  await other.deps.documents?.renewDue();
  expect(host.requests).toHaveLength(1);
  expect(await record(url)).toMatchObject({ problem: { reason: 'host' } });
});

it('does not fetch blocked documents, and goes on with others', async () => {
  const { host, clock, renewDue, publishUsed, record, sql, store } = await createFixture();
  const blocked: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) blocked.push(await publishUsed(`/${name}.json`));
  const other = await publishUsed('/other.json');
  await sql(`UPDATE client SET metadata = metadata || '{"software_id": "bad"}' WHERE id = ANY($1)`, [
    blocked,
  ]);
  const change = { actor: 'operator:jane', now: Math.floor(clock.nowMs() / 1000) as never } as const;
  await store.database.clientBlocks.add([{ kind: 'software_id', value: 'bad' }], undefined, change);
  clock.advanceSeconds(600);
  await renewDue();
  expect(host.requests.slice(5).map(({ path }) => path)).toEqual(['/other.json']);
  expect(await record(blocked[0] ?? '')).toMatchObject({ problem: { reason: 'blocked' } });
  expect(await record(other)).not.toHaveProperty('problem');
});

it('validates each of many documents once over several instances in parallel', async () => {
  const fixture = await createFixture();
  const { host, clock, renewDue, publishUsed } = fixture;
  for (let index = 0; index < 30; index += 1) await publishUsed(`/${index}.json`);
  const other = await anotherInstance(fixture);
  clock.advanceSeconds(600);
  await Promise.all([renewDue(), other.deps.documents?.renewDue()]);
  const paths = host.requests.slice(30).map(({ path }) => path);
  expect(new Set(paths).size).toBe(30);
  expect(paths).toHaveLength(30);
});

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { closers } from '@vestibule/local-services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../test-environment/root.js';
import { openTestEnvironment } from '../test-environment/test-environment.js';
import { until } from '../until.js';
import { metricsReference, scrapedMetrics } from './exposition.js';
import { openFixture, type WatchedFixture } from './fixture.js';
import { SOON_MOVES } from './metric-moves.js';
import { openNotifiedSession } from './notified-sessions.js';
import { watchMove } from './watch-move.js';
import { WATCHED } from './watched-services.js';

const toEnd = closers();
let fixture: WatchedFixture;

beforeAll(async () => {
  const folder = join(ROOT, '.vestibule', 'sight-test');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  fixture = await openFixture(
    await openTestEnvironment(join(folder, 'postgres'), toEnd, () => undefined),
    toEnd,
  );
});

afterAll(() => toEnd.closeAll());

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN = 'b7ad6b7169203331';

it('follows the end of a session from the service that was called to the client that is told by another', async () => {
  const { told, collector, endSession } = fixture;
  const id = await openNotifiedSession(fixture, `${told.address}?secret=in-query`);
  await endSession(id, `00-${TRACE_ID}-${CALLER_SPAN}-01`);
  const named = (name: string) =>
    collector.spans.find((span) => span.traceId === TRACE_ID && span.name === name);
  // Each service sends its spans when it has some together.
  const names = [
    'DELETE /direct-authz/sessions/:sid',
    'db provider-session-end-recorded',
    'logout delivery',
    'egress POST',
  ];
  await until(async () => names.every((name) => named(name) !== undefined));
  const request = named('DELETE /direct-authz/sessions/:sid');
  const delivery = named('logout delivery');
  expect(request).toMatchObject({ service: 'vestibule-authorization', parentId: CALLER_SPAN });
  expect(named('db provider-session-end-recorded')).toMatchObject({ parentId: request?.spanId });
  expect(delivery).toMatchObject({ service: 'vestibule-logout', parentId: request?.spanId });
  expect(named('egress POST')).toMatchObject({ service: 'vestibule-logout', parentId: delivery?.spanId });
  // Whoever reads traces learns nothing that opens anything, and clients learn nothing of our traces.
  const exported = collector.bytes().toString('latin1');
  for (const secret of [fixture.services.masterToken, id, 'in-query', ...told.tokens])
    expect(exported).not.toContain(secret);
  expect(told.headers).not.toContain('traceparent');
});

describe('metrics', () => {
  it.each(SOON_MOVES)('move within five seconds when $fault', async (move) => {
    expect(await watchMove(fixture, move)).toBeLessThan(5_000);
  });

  it.each(WATCHED)('of %s are those that its README tells of', async (name) => {
    const metrics = scrapedMetrics(await touchedScrape(name));
    const readme = await readFile(join(ROOT, 'apps', name, 'README.md'), 'utf8');
    expect(tableOf(readme)).toEqual(cellsOf(metricsReference(metrics)));
  });
});

/** A scrape after a request of each kind of outcome that adds labels. */
async function touchedScrape(name: (typeof WATCHED)[number]): Promise<string> {
  const { port, scrape } = fixture.services[name];
  await fetch(`http://127.0.0.1:${port}/nowhere`);
  await fetch(`http://127.0.0.1:${port}/.well-known/openapi/${name}.json`, { method: 'POST' });
  return scrape();
}

function tableOf(readme: string): string[][] {
  return cellsOf(/<!-- metrics -->([\s\S]*)<!-- \/metrics -->/.exec(readme)?.[1] ?? '');
}

function cellsOf(table: string): string[][] {
  const rows = table.split('\n').filter((line) => line.startsWith('|') && !/^\| ?-/.test(line));
  return rows.map((row) => row.split('|').map((cell) => cell.trim()));
}

import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { closers } from '@vestibule/local-services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../stage/root.js';
import { openStage } from '../stage/stage.js';
import { until } from '../until.js';
import { metricsReference, scrapedMetrics } from './exposition.js';
import { METRIC_MOVES, type Scene } from './metric-moves.js';
import { type OtlpReceiver, otlpReceiver } from './otlp-receiver.js';
import { openToldSession } from './told-sessions.js';
import { startWatchedServices, WATCHED } from './watched-services.js';

const toEnd = closers();
let scene: Scene;
let collector: OtlpReceiver;
let told: Awaited<ReturnType<typeof logoutClient>>;

beforeAll(async () => {
  const folder = join(ROOT, '.vestibule', 'sight-test');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stage = await openStage(join(folder, 'postgres'), toEnd, () => undefined);
  collector = await otlpReceiver();
  toEnd.add(collector.close);
  told = await logoutClient();
  toEnd.add(told.close);
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    EGRESS_ALLOW_HOSTS: `127.0.0.1:${told.port}`,
  };
  const services = await startWatchedServices(stage, environment, toEnd);
  const endUnheardSession = async () => {
    const id = await openToldSession(stage, `http://127.0.0.1:${told.port}/silent`);
    await endSession(id);
  };
  scene = { ...stage, services, endUnheardSession };
});

afterAll(() => toEnd.closeAll());

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN = 'b7ad6b7169203331';

it('follows the end of a session from the service that was called to the client that is told by another', async () => {
  const id = await openToldSession(scene, `http://127.0.0.1:${told.port}/told?secret=in-query`);
  await endSession(id, `00-${TRACE_ID}-${CALLER_SPAN}-01`);
  const named = (name: string) =>
    collector.spans.find((span) => span.traceId === TRACE_ID && span.name === name);
  await until(async () => named('egress POST') !== undefined && named('logout delivery') !== undefined);
  const request = named('DELETE /direct-authz/sessions/:sid');
  const delivery = named('logout delivery');
  expect(request).toMatchObject({ service: 'vestibule-authorization', parentId: CALLER_SPAN });
  expect(named('db provider-session-end-recorded')).toMatchObject({ parentId: request?.spanId });
  expect(delivery).toMatchObject({ service: 'vestibule-logout', parentId: request?.spanId });
  expect(named('egress POST')).toMatchObject({ service: 'vestibule-logout', parentId: delivery?.spanId });
  // Whoever reads traces learns nothing that opens anything, and clients learn nothing of our traces.
  const exported = collector.bytes().toString('latin1');
  for (const secret of [scene.services.masterToken, id, 'in-query', ...told.tokens])
    expect(exported).not.toContain(secret);
  expect(told.headers).not.toContain('traceparent');
});

describe('metrics', () => {
  it.each(METRIC_MOVES)('move within five seconds when $fault', async ({ watched, begin, hasMoved }) => {
    const service = scene.services[watched];
    const before = await service.metrics();
    const end = await begin(scene);
    try {
      await until(async () => hasMoved(before, await service.metrics()), 5_000);
    } finally {
      await end();
      await until(service.isReady);
    }
  });

  it.each(WATCHED)('of %s are those that its README tells of', async (name) => {
    const metrics = scrapedMetrics(await touchedScrape(name));
    const readme = await readFile(join(ROOT, 'apps', name, 'README.md'), 'utf8');
    expect(tableOf(readme)).toEqual(cellsOf(metricsReference(metrics)));
  });
});

/** A scrape after a request of each kind of outcome that adds labels. */
async function touchedScrape(name: (typeof WATCHED)[number]): Promise<string> {
  const { port, scrape } = scene.services[name];
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

async function endSession(id: string, traceparent?: string): Promise<void> {
  const { authorization, masterToken } = scene.services;
  const { status } = await fetch(`http://127.0.0.1:${authorization.port}/direct-authz/sessions/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${masterToken}`, ...(traceparent !== undefined && { traceparent }) },
  });
  expect(status).toBe(204);
}

/** A client that takes logout tokens at one address, and at another never answers. */
async function logoutClient() {
  const [tokens, headers]: [string[], string[]] = [[], []];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    headers.push(...request.rawHeaders.map((header) => header.toLowerCase()));
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      tokens.push(new URLSearchParams(Buffer.concat(chunks).toString()).get('logout_token') ?? '');
      if (!request.url?.startsWith('/silent')) response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port, tokens, headers, close };
}

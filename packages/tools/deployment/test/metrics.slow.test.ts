import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { closers, freePort } from '@vestibule/local-services';
import { readmeTable, tableCells } from '@vestibule/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ImageStores, openImageStores } from '../src/image/image-stores.js';
import { ROOT } from '../src/repository.js';
import { metricsReference, scrapedMetrics } from './exposition.js';
import { SERVICE_SETTINGS } from './settings.js';

const START_TIMEOUT_MS = 90_000;
const toEnd = closers();
let stores: ImageStores;

beforeAll(async () => {
  stores = await openImageStores(toEnd, () => undefined);
});

afterAll(() => toEnd.closeAll());

it.each([...SERVICE_SETTINGS.keys()])(
  'the README of %s lists the metrics that a scrape returns',
  async (name) => {
    const { port, management } = await startService(name);
    // Requests add the labels of their outcomes.
    await fetch(`http://127.0.0.1:${port}/nowhere`);
    await fetch(`http://127.0.0.1:${port}/.well-known/openapi/${name}.json`, { method: 'POST' });
    const scrape = await (await fetch(`http://127.0.0.1:${management}/metrics`)).text();
    const readme = await readFile(join(ROOT, 'apps', name, 'README.md'), 'utf8');
    expect(readmeTable(readme, 'metrics')).toEqual(tableCells(metricsReference(scrapedMetrics(scrape))));
  },
);

/** Starts the built program of a service with all optional metrics enabled, and waits until it is ready. */
async function startService(name: string): Promise<{ readonly port: number; readonly management: number }> {
  const [port, management] = [await freePort(), await freePort()];
  const env = {
    ...stores.settings,
    HOST: '127.0.0.1',
    PORT: String(port),
    MANAGEMENT_PORT: String(management),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    LOG_LEVEL: 'error',
  };
  const program = join(ROOT, 'apps', name, 'dist', 'server.js');
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const closed = once(child, 'close');
  toEnd.add(async () => {
    child.kill();
    await closed;
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  const isReady = () =>
    fetch(`http://127.0.0.1:${management}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${name} did not become ready.`);
    await pause(50);
  }
  return { port, management };
}

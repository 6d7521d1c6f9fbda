import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestDatabase, testRedisUrl } from '@vestibule/testkit';
import { runService } from '../process/run-service.js';
import type { ProcessSettings, RunningService, ServiceOptions } from '../process/service-options.js';
import { metricsTable, scrapedMetrics } from './exposition.js';
import { UNAFFECTED_HOST } from './unaffected-host.js';

/** A service, and how it loads its settings from an environment. */
export interface MeasuredService<Settings extends ProcessSettings>
  extends Pick<ServiceOptions<Settings>, 'name' | 'build'> {
  readonly load: (environment: Readonly<Record<string, string>>) => Settings;
  /** A path that refuses POST. Default: that of the API document of the service. */
  readonly refusedPath?: string;
}

/** Settings that enable every optional metric. No trace is sent. */
const SETTINGS: Readonly<Record<string, string>> = {
  HOST: '127.0.0.1',
  PORT: '0',
  BASE_URL: 'https://as.example',
  LOG_LEVEL: 'fatal',
  // Nothing listens there.
  CHANGES_WEBHOOK_URL: 'https://127.0.0.1:1/',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example',
  OTEL_TRACES_SAMPLER: 'always_off',
  SHUTDOWN_DRAIN_MS: '0',
};

const POLL_MS = 20;

/** The metrics that a scrape of a running service returns, as a Markdown table for its README. */
export async function metricsReference<Settings extends ProcessSettings>({
  name,
  load,
  build,
  refusedPath = `/.well-known/openapi/${name}.json`,
}: MeasuredService<Settings>): Promise<string> {
  const { url, drop } = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-metrics-'));
  try {
    const environment = {
      ...SETTINGS,
      DATABASE_URL: url,
      REDIS_URL: await testRedisUrl(),
      ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
      MASTER_TOKEN_SHA256: randomBytes(32).toString('hex'),
      AUTHORIZATION_SERVER_JWKS: await jwksFile(folder),
    };
    const service = await runService({ name, load: () => load(environment), build }, UNAFFECTED_HOST);
    if (service === undefined) throw new Error(`${name} did not start.`);
    const text = await scrape(service, refusedPath).finally(service.stop);
    return metricsTable(scrapedMetrics(text));
  } finally {
    await rm(folder, { recursive: true });
    await drop();
  }
}

async function jwksFile(folder: string): Promise<string> {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const path = join(folder, 'jwks.json');
  await writeFile(path, JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] }));
  return path;
}

/** Scrapes a service once it is ready and has refused a request, which adds the labels of failures. */
async function scrape({ port, managementPort }: RunningService, refusedPath: string): Promise<string> {
  const management = `http://127.0.0.1:${managementPort}`;
  while (!(await fetch(`${management}/health/ready`)).ok) await pause(POLL_MS);
  await fetch(`http://127.0.0.1:${port}${refusedPath}`, { method: 'POST' });
  return (await fetch(`${management}/metrics`)).text();
}

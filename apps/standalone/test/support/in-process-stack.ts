import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_REFRESH_INTERVAL_MS } from '@vestibule/crypto/data-keys';
import { createLogger, createMetrics } from '@vestibule/http/observability';
import type { Dependency, OpenServer } from '@vestibule/service/process';
import { vi } from 'vitest';
import { build } from '../../src/build.js';
import { loadStandaloneConfig } from '../../src/config.js';
import type { Settings } from './standalone-process.js';

/** The whole stack in this process, on a port. */
export interface InProcessStack {
  readonly port: number;
  readonly masterToken: string;
  /** The log output. */
  readonly log: () => string;
  /** The value of a metric with a label, which is written as in the exposition. */
  readonly metric: (name: string, label: string) => Promise<number>;
  /** Starts reloading the keys, which is otherwise done at intervals. */
  readKeys(): void;
  stop(): Promise<void>;
}

/** Time limit of requests that run when a test stops the stack. */
const CLOSE_LIMIT_MS = 20_000;

/** Starts the stack as its process does, except that its keys are reloaded only when a test says so. */
export async function startInProcess(dataFolder: string, settings: Settings): Promise<InProcessStack> {
  const config = loadStandaloneConfig({ DATA_DIR: dataFolder, LOG_LEVEL: 'warn', ...settings });
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const owned: Dependency[] = [];
  const servers: OpenServer[] = [];
  const readings: (() => void)[] = [];
  const { setInterval: plain } = globalThis;
  const intervals = vi.spyOn(globalThis, 'setInterval').mockImplementation((task, delay, ...rest) => {
    if (delay === KEY_REFRESH_INTERVAL_MS) readings.push(() => task());
    return plain(task, delay, ...rest);
  });
  const metrics = createMetrics('standalone');
  const { server, dependencies } = await build({
    settings: config,
    logger: createLogger({ level: 'warn', service: 'standalone', destination }),
    metrics,
    tracer: undefined,
    own: (dependency) => void owned.push(dependency),
    ownServer: (further) => void servers.push(further),
  });
  intervals.mockRestore();
  const address = await server.listen({ host: '127.0.0.1', port: Number(settings.PORT ?? 0) });
  return {
    port: Number(new URL(address).port),
    masterToken: readFileSync(join(dataFolder, 'master-token'), 'utf8').trim(),
    log: () => lines.join(''),
    metric: async (name, label) => {
      const exposition = await metrics.registry.metrics();
      const line = exposition.split('\n').find((text) => text.startsWith(`${name}{`) && text.includes(label));
      return Number(line?.split(' ').at(-1));
    },
    readKeys: () => {
      for (const read of readings) read();
    },
    stop: async () => {
      for (const { close } of servers) await close(CLOSE_LIMIT_MS);
      await server.close();
      for (const { close } of [...owned, ...dependencies].toReversed()) await close();
    },
  };
}

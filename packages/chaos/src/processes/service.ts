import { join } from 'node:path';
import { freePort } from '@vestibule/local-services';
import { askOnce } from '../load/http.js';
import { ROOT } from '../stage/root.js';
import { until } from '../until.js';
import { type PlainProcess, startPlainProcess } from './plain-process.js';

/** How a service of the product is started. */
export interface ServiceLaunch {
  /** The folder below `apps`. */
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A service of the product, which may be frozen, killed and started again on its ports. */
export interface ServiceUnderFault {
  readonly port: number;
  process(): PlainProcess;
  isReady(): Promise<boolean>;
  /** The samples of its metrics, by name with labels. */
  metrics(): Promise<ReadonlyMap<string, number>>;
  /** Starts it again, and waits until it is ready. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a service as an operator would, and waits until it is ready. */
export async function startService({ name, environment }: ServiceLaunch): Promise<ServiceUnderFault> {
  const [port, managementPort] = [await freePort(), await freePort()];
  const program = join(ROOT, 'apps', name, 'dist', 'server.js');
  const isReady = async () => (await askOnce(managementPort, '/health/ready')).status === 200;
  let process: PlainProcess;
  const start = async () => {
    process = await startPlainProcess({
      command: [globalThis.process.execPath, program],
      environment: { ...environment, PORT: String(port), MANAGEMENT_PORT: String(managementPort) },
    });
    await until(async () => {
      if (!process.isRunning()) throw new ServiceEndedError(`${name} ended: ${process.output()}`);
      return isReady();
    });
    return process;
  };
  process = await start();
  return {
    port,
    process: () => process,
    isReady: () => isReady().catch(() => false),
    metrics: async () => parseMetrics((await askOnce(managementPort, '/metrics')).body),
    restart: async () => {
      await process.end('SIGKILL');
      process = await start();
    },
    stop: () => process.end(),
  };
}

class ServiceEndedError extends Error {
  override readonly name = 'ServiceEndedError';
}

/** Reads the text format of Prometheus: one sample a line. */
export function parseMetrics(text: string): ReadonlyMap<string, number> {
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => {
      const space = line.lastIndexOf(' ');
      const value = line.slice(space + 1);
      return [line.slice(0, space), value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value)] as const;
    }),
  );
}

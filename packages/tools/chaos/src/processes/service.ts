import { join } from 'node:path';
import { freePort } from '@vestibule/local-services';
import { getOnce } from '../load/http.js';
import { ROOT } from '../test-environment/root.js';
import { until } from '../until.js';
import { type PlainProcess, startPlainProcess } from './plain-process.js';

/** Far more than a start takes, also on a busy machine. */
const START_PATIENCE_MS = 90_000;

/** How to start a service. */
export interface ServiceLaunch {
  /** The folder below `apps`. */
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The root of the repository with the build, default this one. */
  readonly root?: string;
}

/** The replacement of a service by a new process on the same ports. */
export interface Replacement {
  /** Exit code of the old process; absent when it had to be killed. */
  readonly exitCode: number | undefined;
  /** From the signal to the exit. */
  readonly exitMs: number;
  /** From the start of the new process until ready. */
  readonly readyMs: number;
}

/** Changes for the new process. */
export type Renewal = Partial<Pick<ServiceLaunch, 'environment' | 'root'>>;

/** A service that can be frozen, killed and restarted on its ports. */
export interface ServiceUnderFault {
  readonly port: number;
  /** The port of health and metrics. */
  readonly managementPort: number;
  process(): PlainProcess;
  isReady(): Promise<boolean>;
  /** Resolves when it is ready. */
  untilReady(): Promise<void>;
  /** The text of its metrics endpoint. */
  scrape(): Promise<string>;
  /** The samples of its metrics, by name with labels. */
  metrics(): Promise<ReadonlyMap<string, number>>;
  /** Restarts it and waits until it is ready. */
  restart(): Promise<void>;
  /** Stops it (SIGTERM) and starts it again, with other settings or another build from now on if given. */
  replace(renewal?: Renewal): Promise<Replacement>;
  stop(): Promise<void>;
}

/** Starts a service as an operator would and waits until it is ready. A service that does not become ready is ended. */
export async function startService(launch: ServiceLaunch): Promise<ServiceUnderFault> {
  const service = await launchService(launch);
  try {
    await service.untilReady();
    return service;
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** Starts a service as an operator would. */
export async function launchService(launch: ServiceLaunch): Promise<ServiceUnderFault> {
  const { name } = launch;
  let { environment, root = ROOT } = launch;
  const [port, managementPort] = [await freePort(), await freePort()];
  const isReady = async () => (await getOnce(managementPort, '/health/ready')).status === 200;
  const scrape = async () => (await getOnce(managementPort, '/metrics')).body;
  let process: PlainProcess;
  const launchAgain = async () => {
    process = await startPlainProcess({
      command: [globalThis.process.execPath, join(root, 'apps', name, 'dist', 'server.js')],
      environment: { ...environment, PORT: String(port), MANAGEMENT_PORT: String(managementPort) },
    });
  };
  const untilReady = async () => {
    await until(async () => !process.isRunning() || isReady(), START_PATIENCE_MS);
    if (!process.isRunning()) throw new ServiceEndedError(`${name} ended: ${process.output()}`);
  };
  const start = async () => {
    await launchAgain();
    await untilReady();
  };
  await launchAgain();
  return {
    port,
    managementPort,
    process: () => process,
    isReady: () => isReady().catch(() => false),
    untilReady,
    scrape,
    metrics: async () => parseMetrics(await scrape()),
    restart: async () => {
      await process.end('SIGKILL');
      await start();
    },
    replace: async (renewal = {}) => {
      ({ environment = environment, root = root } = renewal);
      const begunAt = performance.now();
      await process.end('SIGTERM');
      const [endedAt, exitCode] = [performance.now(), process.exitCode()];
      await start();
      return { exitCode, exitMs: endedAt - begunAt, readyMs: performance.now() - endedAt };
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

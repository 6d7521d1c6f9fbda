import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@vestibule/local-services';
import { requestOnce } from '../load/connection.js';
import { rawRequest } from '../load/raw-request.js';
import { ROOT } from '../test-environment/root.js';
import { type RunningProcess, startProcess } from './child-process.js';

/** A ready service. */
export interface RunningServiceProcess {
  readonly process: RunningProcess;
  readonly port: number;
  /** From the start of the process to the first ready response. */
  readonly readyMs: number;
}

/** How to start a service. */
export interface ServiceLaunch {
  /** The folder below `apps`. */
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly prefix: readonly string[];
  readonly nodeOptions?: readonly string[];
  readonly withChannel?: boolean;
}

const READY = rawRequest({ method: 'GET', path: '/health/ready' });
const READY_TIMEOUT_MS = 30_000;
const POLL_MS = 5;

/** The program of a service. */
export function serviceModule(name: string): string {
  return join(ROOT, 'apps', name, 'dist', 'server.js');
}

/** Starts a service as an operator would, and waits until it is ready. @throws Error when it does not become ready */
export async function startService(launch: ServiceLaunch): Promise<RunningServiceProcess> {
  const { name, environment, ...options } = launch;
  const [port, managementPort] = [await freePort(), await freePort()];
  const ports = { PORT: String(port), MANAGEMENT_PORT: String(managementPort) };
  const startedAt = performance.now();
  const process = await startProcess({
    ...options,
    module: serviceModule(name),
    environment: { ...environment, ...ports },
  });
  while (!(await isReady(managementPort))) {
    if (!process.isRunning() || performance.now() - startedAt > READY_TIMEOUT_MS) {
      await process.stop();
      throw new Error(`the ${name} service did not become ready: ${process.complaints()}`);
    }
    await pause(POLL_MS);
  }
  return { process, port, readyMs: performance.now() - startedAt };
}

async function isReady(managementPort: number): Promise<boolean> {
  try {
    return (await requestOnce(managementPort, READY)).status === 200;
  } catch {
    return false;
  }
}

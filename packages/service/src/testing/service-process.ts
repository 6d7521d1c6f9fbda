import { route } from '@vestibule/http';
import { sampleServer } from '@vestibule/http/testing';
import { onTestFinished } from 'vitest';
import type { ProcessHost, ShutdownSignal } from '../process/process-host.js';
import type { Dependency } from '../process/readiness.js';
import { runService } from '../process/run-service.js';
import type { ProcessSettings, ServiceOptions } from '../process/service-options.js';

/** Settings of a process whose ports the system chooses. */
export const SETTINGS: ProcessSettings = {
  HOST: '127.0.0.1',
  MANAGEMENT_HOST: '127.0.0.1',
  PORT: 0,
  LOG_LEVEL: 'silent',
  SHUTDOWN_DRAIN_MS: 0,
};

/** Timeout in milliseconds for events that must happen; a busy machine is many times slower than an idle one. */
export const EVENTUALLY = 60_000;

/** Builds the service of a process. */
export type Build = ServiceOptions<ProcessSettings>['build'];

/** A fake process that records calls. */
export function fakeHost() {
  const consoles: ((text: string) => void)[] = [];
  const exits: number[] = [];
  const errors: string[] = [];
  const signals: ((signal: ShutdownSignal) => void)[] = [];
  const faults: ((reason: string, error: unknown) => void)[] = [];
  const host: ProcessHost = {
    onConsole: (listener) => void consoles.push(listener),
    onSignal: (listener) => void signals.push(listener),
    onFault: (listener) => void faults.push(listener),
    writeError: (line) => void errors.push(line),
    exit: (code) => void exits.push(code),
    kill: () => void errors.push('killed'),
  };
  return {
    host,
    exits,
    writeToConsole: (text: string) => consoles.forEach((listener) => void listener(text)),
    errors,
    signal: (signal: ShutdownSignal) => signals.forEach((listener) => void listener(signal)),
    fault: (error: unknown) => faults.forEach((listener) => void listener('test', error)),
  };
}

/** Options of {@link start}. */
interface Start {
  readonly settings?: Partial<ProcessSettings>;
  readonly dependencies?: readonly Dependency[];
  /** Responses wait for it. */
  readonly gate?: Promise<unknown>;
}

/** Starts a service with one route, as a process, until the end of the test. */
export async function start({ settings = {}, dependencies = [], gate }: Start = {}) {
  const process = fakeHost();
  const { server } = sampleServer({
    '/work': {
      GET: route({
        handler: async (_request, reply) => {
          await gate;
          return reply.send({ done: true });
        },
      }),
    },
  });
  const service = await runService(
    { name: 'sample', load: () => ({ ...SETTINGS, ...settings }), build: () => ({ server, dependencies }) },
    process.host,
  );
  if (service !== undefined) onTestFinished(async () => void (await service.stop()));
  return { ...process, server, service };
}

/** Starts a service with one route, and waits until it runs. */
export async function started(options?: Start) {
  const { service, ...rest } = await start(options);
  if (service === undefined) throw new Error('did not start');
  const url = (path: string) => `http://127.0.0.1:${service.port}${path}`;
  const management = (path: string) => `http://127.0.0.1:${service.managementPort}${path}`;
  const ready = async () => (await fetch(management('/health/ready'))).status;
  return { ...rest, service, url, management, ready };
}

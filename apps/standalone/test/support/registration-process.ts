import { fileURLToPath } from 'node:url';
import { freePort } from '@vestibule/local-services';
import { vi } from 'vitest';
import { type Settings, startProgram } from './standalone-process.js';

const PROGRAM = fileURLToPath(new URL('../../../registration/dist/server.js', import.meta.url));

/** The registration service as a separate process. */
export interface RegistrationProcess {
  readonly baseUrl: string;
  /** Kills it (SIGKILL). */
  kill(): Promise<void>;
}

/** Starts the service as built, and waits until it is ready. */
export async function startRegistration(settings: Settings): Promise<RegistrationProcess> {
  const [port, managementPort] = [await freePort(), await freePort()];
  const ports = { PORT: String(port), MANAGEMENT_PORT: String(managementPort) };
  const { child, ended, output } = startProgram({ ...settings, ...ports }, PROGRAM);
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`the process ended before it was ready:\n${output()}`);
    const { status } = await fetch(`http://127.0.0.1:${managementPort}/health/ready`);
    if (status !== 200) throw new Error(`not ready: ${status}`);
  };
  await vi.waitFor(isReady, { timeout: 60_000, interval: 10 });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

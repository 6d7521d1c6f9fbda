import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@vestibule/local-services';
import { requestOnce } from '../load/connection.js';
import { rawRequest } from '../load/raw-request.js';
import { startProgram } from './child-process.js';

/** How to start a web server of the system. */
export interface WebServerLaunch {
  readonly name: string;
  /** The text that it serves, as {@link BODY_FILE} of its folder. */
  readonly body: string;
  /** Further files in its folder, by name, for a port. */
  readonly files: (folder: string, port: number) => Readonly<Record<string, string>>;
  /** The program and its arguments. */
  readonly command: (folder: string) => readonly string[];
  /** The command prefix that runs it on a separate core. */
  readonly prefix: readonly string[];
}

/** A listening web server. */
export interface RunningWebServer {
  readonly pid: number;
  readonly port: number;
  /** Stops it, and removes its folder. */
  stop(): Promise<void>;
}

/** The file with the text that a web server serves. */
export const BODY_FILE = 'body.json';

const PROBE = rawRequest({ method: 'GET', path: '/' });
const START_TIMEOUT_MS = 10_000;
const POLL_MS = 20;

/** Starts a web server in a temporary folder, and waits until it responds. @throws Error when it does not */
export async function startWebServer(launch: WebServerLaunch): Promise<RunningWebServer> {
  const { name, body, files, command, prefix } = launch;
  const folder = await mkdtemp(join(tmpdir(), `bench-${name}-`));
  // The server may read the body under another account.
  await chmod(folder, 0o711);
  await writeFile(join(folder, BODY_FILE), body);
  const port = await freePort();
  for (const [file, text] of Object.entries(files(folder, port)))
    await writeFile(join(folder, file), text, { mode: 0o600 });
  const startedAt = performance.now();
  const {
    pid,
    isRunning,
    complaints,
    stop: stopProcess,
  } = await startProgram({ command: command(folder), prefix });
  const stop = async () => {
    await stopProcess();
    await rm(folder, { recursive: true, force: true });
  };
  while (!(await isListening(port))) {
    if (!isRunning() || performance.now() - startedAt > START_TIMEOUT_MS) {
      await stop();
      throw new Error(`${name} did not start: ${complaints()}`);
    }
    await pause(POLL_MS);
  }
  return { pid, port, stop };
}

async function isListening(port: number): Promise<boolean> {
  try {
    await requestOnce(port, PROBE);
    return true;
  } catch {
    return false;
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@vestibule/local-services';

const PROGRAM = fileURLToPath(new URL('../../dist/server.js', import.meta.url));

/** The settings of a process, which does not inherit the environment of this one. */
export type Settings = Readonly<Record<string, string>>;

/** A started process and its output. */
export interface StartedProcess {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** A standalone process that is ready. */
export interface Standalone extends StartedProcess {
  /** The address at which it is reached. */
  readonly baseUrl: string;
  /** Its issuer. */
  readonly issuer: string;
  readonly masterToken: string;
  /** Stops it as Ctrl-C does; resolves with its exit code. */
  stop(): Promise<number | NodeJS.Signals | null>;
}

/** Starts a built program, by default this one, without waiting for it. */
export function startProgram(settings: Settings, program = PROGRAM): StartedProcess {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => chunks.push(text));
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  return { child, output: () => chunks.join(''), ended };
}

/** Starts a standalone process over a data folder and waits until it is ready. */
export async function startStandalone(dataFolder: string, settings: Settings = {}): Promise<Standalone> {
  const port = await freePort();
  const started = startProgram({
    DATA_DIR: dataFolder,
    PORT: String(port),
    MANAGEMENT_PORT: '0',
    LOG_LEVEL: 'trace',
    ...settings,
  });
  const { child, output, ended } = started;
  const printedReady = new Promise<true>((resolve) => {
    child.stdout?.on('data', () => output().includes('Vestibule is ready') && resolve(true));
  });
  const isReady = await Promise.race([printedReady, ended.then(() => false)]);
  if (!isReady) throw new Error(`the process ended before it was ready:\n${output()}`);
  return {
    ...started,
    baseUrl: `http://localhost:${port}`,
    issuer: settings.BASE_URL ?? `http://localhost:${port}`,
    masterToken: readFileSync(join(dataFolder, 'master-token'), 'utf8').trim(),
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Creates a folder for one test. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'vestibule-standalone-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

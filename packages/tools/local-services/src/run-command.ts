import { type SpawnOptions, spawn } from 'node:child_process';

/** The result of a finished command. */
export interface CommandResult {
  /** Absent when it could not be started or was killed. */
  readonly exitCode?: number;
  /** Its output on both streams. */
  readonly output: string;
}

/**
 * The environment of started programs: nothing else is inherited (a `PGOPTIONS`, a locale), and messages are in
 * English.
 */
export const PLAIN_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
} as const;

/** Runs a command without a shell and without input. Never rejects. */
export function runCommand(
  file: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('error', (error) => resolve({ output: error.message }));
    child.once('close', (code) => resolve(code === null ? { output } : { exitCode: code, output }));
  });
}

let deathSignal: Promise<boolean> | undefined;

/**
 * The command prefix that makes a command receive a signal when its parent process ends for any reason; empty where the
 * system does not support it.
 */
export async function dyingWithParent(signal: 'INT' | 'TERM'): Promise<readonly string[]> {
  const words = (name: string) => ['setpriv', '--pdeathsig', name, '--'];
  deathSignal ??= works(words(signal));
  return (await deathSignal) ? words(signal) : [];
}

/** Whether a command prefix works on this machine. */
export async function works(prefix: readonly string[]): Promise<boolean> {
  const [file = '', ...args] = prefix;
  const { exitCode } = await runCommand(file, [...args, 'true'], { env: PLAIN_ENVIRONMENT });
  return exitCode === 0;
}

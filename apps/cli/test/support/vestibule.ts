import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { COMMAND_GROUPS } from '../../src/commands/command-groups.js';
import { readInput } from '../../src/frame/read-file.js';
import { run } from '../../src/frame/run.js';

/** The built program. */
export const PROGRAM = fileURLToPath(new URL('../../dist/vestibule.js', import.meta.url));

/** Result of a command. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of a command run. */
export interface Start {
  readonly environment?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
  /** Whether the reader of standard output is already closed; for processes. */
  readonly isStdoutClosed?: boolean;
}

/** Runs a command in this process. Everything except loading the program is as in its own process. */
export async function vestibule(
  args: readonly string[],
  { environment = {}, input = '' }: Start = {},
): Promise<Outcome> {
  const texts = { stdout: '', stderr: '' };
  const into = (name: keyof typeof texts) => ({
    write: (text: string) => {
      texts[name] += text;
    },
  });
  const code = await run({
    groups: COMMAND_GROUPS,
    args,
    environment,
    stdout: into('stdout'),
    stderr: into('stderr'),
    readInput: (maxBytes) => readInput(Readable.from(Buffer.from(input)), maxBytes),
    onChange: () => undefined,
  });
  return { code, ...texts };
}

/** A running command. */
export interface RunningCommand {
  /** Output on standard error so far. */
  stderr(): string;
  /** Kills the command, which cannot do anything about it. */
  kill(): void;
  /** Interrupts the command like Ctrl-C. */
  interrupt(): void;
  readonly ended: Promise<Outcome>;
}

/** Starts the built program in its own process, which inherits no environment. */
export function startVestibule(
  args: readonly string[],
  { environment = {}, input = '', isStdoutClosed = false }: Start = {},
): RunningCommand {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.stderr += text;
  });
  if (isStdoutClosed) child.stdout.destroy();
  // A command that ends without reading breaks the pipe.
  child.stdin.on('error', () => undefined).end(input);
  return {
    stderr: () => texts.stderr,
    kill: () => {
      child.kill('SIGKILL');
    },
    interrupt: () => {
      child.kill('SIGINT');
    },
    ended: once(child, 'close').then(([code]) => ({
      code: typeof code === 'number' ? code : null,
      ...texts,
    })),
  };
}

/** Runs the built program until it ends. */
export function vestibuleProcess(args: readonly string[], start?: Start): Promise<Outcome> {
  return startVestibule(args, start).ended;
}

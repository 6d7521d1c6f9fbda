import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { COMMAND_GROUPS } from '../../src/commands/command-groups.js';
import { readInput } from '../../src/frame/read-input.js';
import { run } from '../../src/frame/run.js';

/** The program as built. */
export const PROGRAM = fileURLToPath(new URL('../../dist/vestibule.js', import.meta.url));

/** What a command did. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command is started. */
export interface Start {
  readonly environment?: Readonly<Record<string, string>>;
  /** What it finds on standard input. */
  readonly input?: string;
  /** Whether whoever reads its standard output is gone already; for processes. */
  readonly readsNothing?: boolean;
}

/** Types a command, without a process of its own: all but the loading of the program is as it is there. */
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

/** A command that runs. */
export interface RunningCommand {
  /** What it has said so far on standard error. */
  stderr(): string;
  /** Interrupts it, as a person does. */
  interrupt(): void;
  readonly ended: Promise<Outcome>;
}

/** Starts the program as built, in a process of its own that gets nothing of this one's environment. */
export function startVestibule(
  args: readonly string[],
  { environment = {}, input = '', readsNothing = false }: Start = {},
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
  if (readsNothing) child.stdout.destroy();
  // One that ends without reading leaves a broken pipe.
  child.stdin.on('error', () => undefined).end(input);
  return {
    stderr: () => texts.stderr,
    interrupt: () => {
      child.kill('SIGINT');
    },
    ended: once(child, 'close').then(([code]) => ({
      code: typeof code === 'number' ? code : null,
      ...texts,
    })),
  };
}

/** Runs the program as built until it ends. */
export function vestibuleProcess(args: readonly string[], start?: Start): Promise<Outcome> {
  return startVestibule(args, start).ended;
}

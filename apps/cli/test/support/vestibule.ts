import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../dist/vestibule.js', import.meta.url));

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
}

/** Runs the program as built, in a process of its own that gets nothing of this one's environment. */
export async function vestibule(
  args: readonly string[],
  { environment = {}, input = '' }: Start = {},
): Promise<Outcome> {
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
  // One that ends without reading leaves a broken pipe.
  child.stdin.on('error', () => undefined).end(input);
  const [code] = await once(child, 'close');
  return { code: typeof code === 'number' ? code : null, ...texts };
}

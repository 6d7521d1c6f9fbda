import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@vestibule/local-services';

const PROGRAM = fileURLToPath(new URL('../../../standalone/dist/server.js', import.meta.url));

/** The whole stack as a process of its own, over a database that is there. */
export interface RunningStack {
  readonly baseUrl: string;
  readonly masterToken: string;
  stop(): Promise<void>;
}

/** Starts the stack and waits until it is ready. @throws Error with what it printed, when it ends before */
export async function startStack(settings: Readonly<Record<string, string>>): Promise<RunningStack> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-cli-stack-'));
  const port = await freePort();
  const child = spawn(process.execPath, [PROGRAM], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: String(port), MANAGEMENT_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let output = '';
  const announced = new Promise<true>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes('Vestibule is ready')) resolve(true);
      });
  });
  if (!(await Promise.race([announced, ended.then(() => false)]))) throw new Error(output);
  return {
    baseUrl: `http://localhost:${port}`,
    masterToken: (await readFile(join(folder, 'master-token'), 'utf8')).trim(),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

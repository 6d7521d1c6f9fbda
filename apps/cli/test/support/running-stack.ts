import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@vestibule/local-services';
import { noteResponse } from '@vestibule/testkit';

const PROGRAM = fileURLToPath(new URL('../../../standalone/dist/server.js', import.meta.url));

/** A request to the stack, with at most one credential and one body. */
export interface Request {
  readonly method?: string;
  /** A bearer token. */
  readonly token?: string;
  /** Client identifier and secret, for Basic authentication. */
  readonly basic?: readonly [id: string, secret: string];
  readonly json?: object;
  readonly form?: Readonly<Record<string, string>>;
  /** Body text with its media type. */
  readonly text?: readonly [mediaType: string, body: string];
}

/** A response. A JSON body is parsed; any other body is a string. */
export interface ApiResponse {
  readonly status: number;
  readonly body: ReturnType<typeof JSON.parse>;
}

/** The whole stack in its own process, on an existing database, with its own Redis. */
export interface RunningStack {
  readonly baseUrl: string;
  readonly masterToken: string;
  /** Data folder. */
  readonly folder: string;
  /** Sends an HTTP request. */
  send(path: string, request?: Request): Promise<ApiResponse>;
  stop(): Promise<void>;
}

/**
 * Starts the stack and waits until it is ready.
 * @throws Error with its output if it ends before
 */
export async function startStack(settings: Readonly<Record<string, string>>): Promise<RunningStack> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-cli-stack-'));
  const port = await freePort();
  const child = spawn(process.execPath, [PROGRAM], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: String(port), MANAGEMENT_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let output = '';
  const printedReady = new Promise<true>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes('Vestibule is ready')) resolve(true);
      });
  });
  if (!(await Promise.race([printedReady, ended.then(() => false)]))) throw new Error(output);
  const baseUrl = `http://localhost:${port}`;
  return {
    baseUrl,
    masterToken: (await readFile(join(folder, 'master-token'), 'utf8')).trim(),
    folder,
    send: (path, request) => send(`${baseUrl}${path}`, request),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

async function send(
  url: string,
  { method, token, basic, json, form, text }: Request = {},
): Promise<ApiResponse> {
  const sent = text ?? (json && (['application/json', JSON.stringify(json)] as const));
  const response = await fetch(url, {
    method: method ?? (sent === undefined && form === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(basic && { authorization: `Basic ${Buffer.from(basic.join(':')).toString('base64')}` }),
      ...(sent && { 'content-type': sent[0] }),
    },
    ...(sent && { body: sent[1] }),
    ...(form && { body: new URLSearchParams(form) }),
  });
  const body = await response.text();
  noteResponse(body);
  return { status: response.status, body: /^[[{]/.test(body) ? JSON.parse(body) : body };
}

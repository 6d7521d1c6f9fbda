import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { closers, freePort } from '@vestibule/local-services';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { startStandalone, temporaryFolder } from './support/standalone-process.js';

const AUTHORIZATION = new URL('../../authorization/README.md', import.meta.url);
const FORWARD_AUTH = new URL('../../forward-auth/README.md', import.meta.url);
const APPS = fileURLToPath(new URL('../../', import.meta.url));

const run = promisify(execFile);
const toEnd = closers();
let stack: Awaited<ReturnType<typeof startStandalone>>;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  toEnd.add(folder.remove);
  stack = await startStandalone(folder.path);
  toEnd.add(async () => void (await stack.stop()));
});

afterAll(() => toEnd.closeAll());

/** The blocks of a language in a section of a page, for this stack and its data folder. */
function blocksOf(page: string, heading: string, language: string): readonly string[] {
  const section = page.split(/^(?=#{2,} )/m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(new RegExp(`^\`\`\`${language}.*\\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) =>
      text.replaceAll('http://localhost:8080', stack.baseUrl).replaceAll('.vestibule/', `${folder.path}/`),
  );
}

/** Starts a server with a command, and waits until it accepts connections. It inherits nothing but the settings. */
async function startServer(command: string, cwd: string, settings: Readonly<Record<string, string>>) {
  const env = { PATH: process.env.PATH, ...settings };
  const child = spawn('/bin/bash', ['-euc', `exec ${command}`], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  await vi.waitUntil(() => output.includes('"listening"') || child.exitCode !== null, { timeout: 60_000 });
  expect(output).toContain('"listening"');
}

it('issues a token that is active for the resource server in its audience, as in the authorization README', async () => {
  const page = await readFile(AUTHORIZATION, 'utf8');
  const [here = ''] = blocksOf(page, '### Issuing', 'sh');
  expect(here).toContain(stack.baseUrl);
  const { stdout } = await run('/bin/bash', ['-euc', here]);
  expect(JSON.parse(stdout)).toMatchObject({
    active: true,
    sub: 'alice',
    scope: 'openid read',
    aud: [expect.any(String)],
  });
});

it('checks a request with a token for a gateway, after the commands of the forward-auth README', async () => {
  const page = await readFile(FORWARD_AUTH, 'utf8');
  const [register = '', start = '', ask = ''] = blocksOf(page, '## Starting it', 'sh');
  const { path: cwd, remove } = await temporaryFolder();
  onTestFinished(remove);
  const [routes = ''] = blocksOf(page, '## Routes', 'json routes.json');
  await writeFile(join(cwd, 'routes.json'), routes);
  await run('/bin/bash', ['-euc', register], { cwd });
  const port = String(await freePort());
  await startServer(`env ${start.replace('apps/', APPS)}`, cwd, { PORT: port, MANAGEMENT_PORT: '0' });
  const { stdout } = await run('/bin/bash', ['-euc', ask.replace('8086', port)], { cwd });
  expect(stdout).toMatch(/^HTTP\/1\.1 200 /);
  expect(stdout).toMatch(/^x-token-subject: ada\r$/im);
  expect(stdout).toMatch(/^x-token-scope: orders:read\r$/im);
});

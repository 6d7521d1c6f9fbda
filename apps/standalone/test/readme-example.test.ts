import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { closers } from '@vestibule/local-services';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startStandalone, temporaryFolder } from './support/standalone-process.js';

const README = new URL('../../authorization/README.md', import.meta.url);

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

it('issues a token that is active for the resource server in its audience, as in the authorization README', async () => {
  const [, example = ''] = /### Issuing.*?```sh\n(.*?)```/s.exec(await readFile(README, 'utf8')) ?? [];
  const here = example
    .replace('http://localhost:8080', stack.baseUrl)
    .replaceAll('.vestibule/', `${folder.path}/`);
  expect(here).toContain(stack.baseUrl);
  const { stdout } = await run('/bin/bash', ['-euc', here]);
  expect(JSON.parse(stdout)).toMatchObject({
    active: true,
    sub: 'alice',
    scope: 'openid read',
    aud: [expect.any(String)],
  });
});

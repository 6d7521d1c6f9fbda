import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { closers } from '@vestibule/local-services';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startStandalone, temporaryFolder } from './support/standalone-process.js';

const run = promisify(execFile);
const FAMILIES = ['registration', 'introspection', 'authorization', 'logout', 'federation'];
const toEnd = closers();
let stack: Awaited<ReturnType<typeof startStandalone>>;

beforeAll(async () => {
  const folder = await temporaryFolder();
  toEnd.add(folder.remove);
  stack = await startStandalone(folder.path);
  toEnd.add(async () => void (await stack.stop()));
});

afterAll(() => toEnd.closeAll());

it('prints three commands that work as they stand, the last of which tells of a live token', async () => {
  const commands = stack
    .output()
    .split('\n')
    .filter((line) => line.startsWith('  ') && line.includes('curl'));
  expect(commands).toHaveLength(3);
  const { stdout } = await run('/bin/sh', ['-c', commands.join('\n')]);
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    active: true,
    scope: 'read',
    sub: 'alice',
    iss: stack.issuer,
  });
});

// They lie in the folder of a package, whose modules are in the program.
it.each(FAMILIES)('shows the page of the API of %s, with all that it loads', async (family) => {
  const page = `${stack.issuer}/.well-known/openapi/${family}`;
  for (const place of [page, `${page}.json`, `${page}/swagger-ui.css`, `${page}/swagger-ui-bundle.js`])
    expect([place, (await fetch(place)).status]).toEqual([place, 200]);
});

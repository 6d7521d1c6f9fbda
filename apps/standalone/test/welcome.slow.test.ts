import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { closers } from '@vestibule/local-services';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startStandalone, temporaryFolder } from './support/standalone-process.js';

const run = promisify(execFile);
const ROUTE_GROUPS = ['registration', 'introspection', 'authorization', 'logout', 'federation'];
const toEnd = closers();
let stack: Awaited<ReturnType<typeof startStandalone>>;

beforeAll(async () => {
  const folder = await temporaryFolder();
  toEnd.add(folder.remove);
  stack = await startStandalone(folder.path);
  toEnd.add(async () => void (await stack.stop()));
});

afterAll(() => toEnd.closeAll());

it('prints commands that fit a line each and work as printed, the last of which shows an active token', async () => {
  const commands = stack
    .output()
    .split('\n')
    .filter((line) => line.startsWith('  ') && line.trim() !== '' && !line.startsWith('    '));
  expect(commands).toHaveLength(8);
  for (const command of commands.slice(1)) expect(command.length).toBeLessThanOrEqual(100);
  const { stdout } = await run('/bin/sh', ['-c', commands.join('\n')]);
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    active: true,
    scope: 'read',
    sub: 'alice',
    iss: stack.issuer,
  });
});

it('prints where the APIs can be tried, and has a start page without dead links', async () => {
  expect(stack.output()).toContain(`${stack.issuer}/.well-known/openapi/registration\n`);
  const page = await fetch(`${stack.issuer}/`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const links = [...(await page.text()).matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
  expect(links).toEqual(
    expect.arrayContaining(ROUTE_GROUPS.map((routeGroup) => `/.well-known/openapi/${routeGroup}`)),
  );
  for (const link of links) expect([link, (await fetch(stack.issuer + link)).status]).toEqual([link, 200]);
});

it('says nothing about the version of Node', () => {
  const lines = stack.output().split('\n');
  // The log may contain it: the level is trace here, and warn by default.
  expect(lines.filter((line) => !line.startsWith('{"level":"debug"') && /unsupported/i.test(line))).toEqual(
    [],
  );
});

// The assets are in the folder of a package whose modules are bundled.
it.each(ROUTE_GROUPS)('shows the page of the API of %s, with all that it loads', async (routeGroup) => {
  const page = `${stack.issuer}/.well-known/openapi/${routeGroup}`;
  for (const place of [page, `${page}.json`, `${page}/swagger-ui.css`, `${page}/swagger-ui-bundle.js`])
    expect([place, (await fetch(place)).status]).toEqual([place, 200]);
});

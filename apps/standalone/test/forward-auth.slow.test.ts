import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@vestibule/local-services';
import { expect, it, onTestFinished } from 'vitest';
import { loadStandaloneConfig } from '../src/config.js';
import { startInProcess } from './support/in-process-stack.js';
import { temporaryFolder } from './support/standalone-process.js';

const API = 'https://api.example';
const ROUTES = {
  resources: [
    {
      identifier: API,
      routes: [
        { path: '/orders/*', methods: ['GET'], scope: 'orders:read' },
        { path: '/orders/*', methods: ['POST'], scope: 'orders:write' },
      ],
    },
  ],
};

/** Starts the stack with the routes file in a data folder, and returns how a gateway and an operator use it. */
async function start(dataFolder: string, routes: object = ROUTES) {
  const file = join(dataFolder, 'routes.json');
  await writeFile(file, JSON.stringify(routes));
  const [port, forwardAuthPort] = [await freePort(), await freePort()];
  const stack = await startInProcess(dataFolder, {
    HOST: '127.0.0.2',
    PORT: String(port),
    FORWARD_AUTH_PORT: String(forwardAuthPort),
    ROUTES_FILE: file,
    INTROSPECTION_TIMEOUT_MS: '20000',
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= stack.stop();
    return stopped;
  };
  onTestFinished(stop);
  const post = (path: string, body: object) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.masterToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    port,
    stop,
    revoke: (token: string) => post('/direct-authz/revoke', { token }),
    token: async (): Promise<string> => {
      const grant = { client_id: 'forward-auth', sub: 'alice', scope: 'orders:read', aud: [API] };
      return JSON.parse(await (await post('/direct-authz', grant)).text()).access_token;
    },
    check: (token: string, method = 'GET') =>
      fetch(`http://127.0.0.1:${forwardAuthPort}/check`, {
        headers: {
          authorization: `Bearer ${token}`,
          'x-forwarded-method': method,
          'x-forwarded-host': 'api.example',
          'x-forwarded-uri': '/orders/7',
        },
      }),
  };
}

async function dataFolder(): Promise<string> {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  return path;
}

it('answers gateways at an address of its own, with a client of its own', async () => {
  const { port, token, check, revoke } = await start(await dataFolder());
  const accessToken = await token();
  const allowed = await check(accessToken);
  expect([allowed.status, allowed.headers.get('x-token-subject')]).toEqual([200, 'alice']);
  expect((await check(accessToken, 'POST')).status).toBe(403);
  expect((await revoke(accessToken)).ok).toBe(true);
  await expect.poll(async () => (await check(accessToken)).status).toBe(401);
  expect((await fetch(`http://127.0.0.1:${port}/check`)).status).toBe(404);
});

it('gives its client the resources of a changed file at the next start', async () => {
  const folder = await dataFolder();
  const [resource] = ROUTES.resources;
  const first = await start(folder, { resources: [{ ...resource, identifier: 'https://other.example' }] });
  const accessToken = await first.token();
  await first.stop();
  const second = await start(folder);
  expect((await second.check(accessToken)).status).toBe(200);
});

it('listens for gateways at FORWARD_AUTH_HOST, and without it on loopback only, whatever HOST is', async () => {
  const folder = await dataFolder();
  const file = join(folder, 'routes.json');
  await writeFile(file, JSON.stringify(ROUTES));
  const hostOf = (settings: Readonly<Record<string, string>>) =>
    loadStandaloneConfig({ DATA_DIR: folder, HOST: '127.0.0.2', ROUTES_FILE: file, ...settings }).forwardAuth
      ?.HOST;
  expect(hostOf({})).toBe('127.0.0.1');
  expect(hostOf({ FORWARD_AUTH_HOST: '127.0.0.3' })).toBe('127.0.0.3');
});

it('reports each problem of the routes file, and creates nothing', async () => {
  const folder = await dataFolder();
  const file = join(folder, 'routes.json');
  await writeFile(file, JSON.stringify({ resources: [{ identifier: 'x', routes: [] }] }));
  expect(() => loadStandaloneConfig({ DATA_DIR: folder, ROUTES_FILE: file })).toThrow(/^ROUTES_FILE: /);
  expect(() => loadStandaloneConfig({ DATA_DIR: folder, ROUTES_FILE: '' })).not.toThrow();
});

import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildApp, composeForwardAuth, loadForwardAuthConfig } from '@vestibule/forward-auth-service';
import { closers, freePort } from '@vestibule/local-services';
import { startNginx } from '@vestibule/local-services/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOCKER_FOLDER, ROOT } from '../src/repository.js';

const toEnd = closers();
const FILES = join(DOCKER_FOLDER, 'forward-auth');
let gatewayPort = 0;

/** Starts forward-auth with the routes of the stack, and without introspection. */
async function startForwardAuth(): Promise<number> {
  const introspection = `http://127.0.0.1:${await freePort()}`;
  const forwardAuth = composeForwardAuth(
    loadForwardAuthConfig({
      BASE_URL: 'http://localhost:8080',
      ROUTES_FILE: join(FILES, 'routes.json'),
      INTROSPECTION_CLIENT_ID: 'forward-auth',
      INTROSPECTION_CLIENT_SECRET: 'a-secret-that-no-endpoint-reads',
      INTROSPECTION_ENDPOINT: `${introspection}/token/introspect`,
      TOKEN_CHANGES_FOLLOWED: 'false',
    }),
  );
  const app = buildApp(forwardAuth.deps, { logger: false });
  toEnd.add(async () => {
    await app.close();
    forwardAuth.close();
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'api-gateway-'));
  toEnd.add(() => rm(folder, { recursive: true, force: true }));
  // nginx workers run as another user.
  await chmod(folder, 0o711);
  await mkdir(join(folder, 'run'));
  const [port, apiPort, servicePort] = [await freePort(), await freePort(), await startForwardAuth()];
  const conf = (await readFile(join(FILES, 'nginx.conf'), 'utf8'))
    .replaceAll(/^ *resolver.*\n/gm, '')
    .replace('server forward-auth:8086 resolve', `server 127.0.0.1:${servicePort}`)
    .replaceAll('127.0.0.1:9000', `127.0.0.1:${apiPort}`)
    .replace('listen 8080;', `listen 127.0.0.1:${port};`);
  await writeFile(join(folder, 'nginx.conf'), conf);
  await startNginx({ folder, port, toEnd });
  gatewayPort = port;
});

afterAll(() => toEnd.closeAll());

describe('the gateway of the example API', () => {
  /** Sends a request to the published address of the gateway. */
  const send = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const options = {
      host: '127.0.0.1',
      port: gatewayPort,
      path,
      headers: { host: 'localhost:8088', ...headers },
    };
    const [response]: IncomingMessage[] = await once(request(options).end(), 'response');
    if (response === undefined) throw new TypeError('no response');
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  };

  it('passes public requests on, without the identity that the client claims', async () => {
    const { status, body } = await send('/health', { 'x-token-subject': 'root', 'x-token-scope': 'all' });
    expect([status, body]).toEqual([200, 'subject: \nclient: \nscope: \n']);
  });

  it('refuses a request without a token, with the challenge, and one that cannot be checked, with 503', async () => {
    const refused = await send('/orders/7');
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('scope="orders:read"'),
    ]);
    const unchecked = await send('/orders/7', { authorization: 'Bearer some-token' });
    expect([unchecked.status, unchecked.headers['retry-after']]).toEqual([503, '1']);
  });

  it('has the locations of the example for nginx, which the tests of forward-auth run', async () => {
    const example = await readFile(join(ROOT, 'apps/forward-auth/examples/nginx.conf'), 'utf8');
    const ours = await readFile(join(FILES, 'nginx.conf'), 'utf8');
    const locations = (conf: string) =>
      /^ {2}proxy_http_version[\s\S]*?^ {2}\}\n(?=\}|\n {2}# The example API)/m
        .exec(conf)?.[0]
        .replace(/listen [\d.:]+;/, 'listen;');
    expect(locations(example)).toContain('auth_request');
    expect(locations(ours)).toBe(locations(example));
  });
});

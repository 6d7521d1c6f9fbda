import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { closers, freePort } from '@vestibule/local-services';
import { ENDPOINT_PATH } from '@vestibule/protocol/constants';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOCKER_FOLDER } from '../src/repository.js';
import { environmentOf, readCompose } from './compose-file.js';
import { startGateway } from './gateway-process.js';
import { STORE_SERVICES } from './settings.js';

const toEnd = closers();
const compose = readCompose();
const servers = new Map<string, Server>();
const behind = new Map<string, readonly string[]>();
/** Requests whose connections were closed before a response. */
const cuts: string[] = [];
let base = '';
let gatewayPort = 0;
let logFile = '';

/** Responds with the name of the service and the request that it received. */
function echoRequest(service: string) {
  return (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/clients?slow') {
      response.write('[');
      return;
    }
    if (request.url?.endsWith('/cut')) {
      cuts.push(`${request.method} ${request.url}`);
      request.socket.destroy();
      return;
    }
    if (request.headers.origin !== undefined) {
      response.setHeader('access-control-allow-origin', request.headers.origin);
      response.setHeader('vary', 'Origin');
    }
    if (request.url === '/logout?wide') response.setHeader('content-security-policy', 'x'.repeat(12_000));
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ service, url: request.url, method: request.method, headers: request.headers }),
      );
    });
  };
}

beforeAll(async () => {
  for (const name of STORE_SERVICES) {
    const server = createServer(echoRequest(name));
    servers.set(name, server);
    const port = await freePort();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const { PORT } = environmentOf(compose.services[name] ?? {});
    // Each service also has an instance that does not run, and another one that does: the same program at another
    // address.
    const another = await freePort();
    const twin = createServer(echoRequest(name)).listen(another, '127.0.0.1');
    await once(twin, 'listening');
    servers.set(`${name} twin`, twin);
    behind.set(`${name}:${PORT}`, [
      ...[`127.0.0.1:${port}`, `127.0.0.1:${await freePort()}`, `127.0.0.1:${another}`],
    ]);
  }
  ({ port: gatewayPort, logFile } = await startGateway({ behind, hasOperatorRoutes: true, toEnd }));
  base = `http://127.0.0.1:${gatewayPort}`;
});

afterAll(async () => {
  for (const server of servers.values()) server.closeAllConnections();
  for (const server of servers.values()) server.close();
  await toEnd.closeAll();
});

const log = () => readFileSync(logFile, 'utf8');
const request = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  JSON.parse(await (await fetch(base + path, { headers })).text());

describe('the gateway', () => {
  it('sends every endpoint to its service, with the requested path', async () => {
    const owners: Readonly<Record<keyof typeof ENDPOINT_PATH, string>> = {
      registration: 'registration',
      authorization: 'authorization',
      pushedAuthorization: 'authorization',
      token: 'authorization',
      revocation: 'authorization',
      userinfo: 'authorization',
      introspection: 'introspection',
      tokenChanges: 'introspection',
      logout: 'logout',
      upstreamLogout: 'authorization',
      federationRegistration: 'federation',
      federationExplanation: 'federation',
      federationExplanationPage: 'federation',
      historicalKeys: 'federation',
      entityConfiguration: 'federation',
      directAuthorization: 'authorization',
      jwks: 'authorization',
      signedJwks: 'federation',
    };
    for (const [name, path] of Object.entries(ENDPOINT_PATH)) {
      const { service, url } = await request(`${path}?a=%2F`);
      expect([name, service, url]).toEqual([name, Reflect.get(owners, name), `${path}?a=%2F`]);
    }
  });

  it('sends discovery of an issuer with a path to the authorization service, with the path before and after', async () => {
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/auth',
      '/.well-known/openid-configuration/auth',
      '/auth/.well-known/openid-configuration',
      '/auth/.well-known/oauth-authorization-server',
    ])
      expect(await request(path)).toMatchObject({ service: 'authorization', url: path });
  });

  it('keeps an identifier in a path as it is written', async () => {
    const path = '/clients/https%3A%2F%2Frp.example%2Fa';
    expect(await request(path)).toMatchObject({ service: 'registration', url: path });
  });

  it('forwards the address of the client, and ignores one that the client sends itself', async () => {
    const { headers } = await request('/clients', {
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-prefix': '/x',
      'x-forwarded-port': '1',
      'x-real-ip': '192.0.2.1',
      forwarded: 'for=192.0.2.1',
      'client-cert': ':AAAA:',
      'client-cert-chain': ':AAAA:',
      'client-cert-proof': 'x',
    });
    expect(headers).toMatchObject({
      host: `127.0.0.1:${gatewayPort}`,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': `127.0.0.1:${gatewayPort}`,
    });
    const rest = Object.keys(headers).filter((name) => /forwarded|real-ip|client-cert/.test(name));
    expect(rest.sort()).toEqual(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']);
  });

  it('streams a list while it is being written', async () => {
    const response = await fetch(`${base}/clients?slow`);
    const first = await response.body?.getReader().read();
    expect(Buffer.from(first?.value ?? []).toString()).toBe('[');
  });

  it('accepts imports of tokens of up to 64 MiB, and other requests of up to 1 MiB', async () => {
    const send = async (path: string, bytes: number) =>
      (await fetch(base + path, { method: 'POST', body: 'x'.repeat(bytes) })).status;
    expect(await send('/direct-authz/tokens', 64 * 1_048_576)).toBe(200);
    expect(await send('/direct-authz/tokens', 64 * 1_048_576 + 1)).toBe(400);
    for (const path of ['/direct-authz', '/direct-authz/tokens/x', '/clients'])
      expect(await send(path, 1_048_577), path).toBe(400);
  });

  it('forwards CORS requests of pages of other origins, and the responses to them', async () => {
    const preflight = { origin: 'https://app.example', 'access-control-request-method': 'PUT' };
    const paths = { '/clients': 'registration', '/clients/a': 'registration', '/token': 'authorization' };
    for (const [path, service] of Object.entries(paths)) {
      const response = await fetch(base + path, { method: 'OPTIONS', headers: preflight });
      expect(response.headers.get('access-control-allow-origin')).toBe(preflight.origin);
      expect(response.headers.get('vary')).toBe('Origin');
      expect(await response.json()).toMatchObject({
        service,
        method: 'OPTIONS',
        headers: preflight,
      });
    }
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'POST'])(
    'sends a %s once, also when its connection is closed, and to another instance when one is unreachable',
    async (method) => {
      const body = method === 'DELETE' ? null : '{"a":1}';
      const send = (path: string) => fetch(base + path, { method, body });
      for (const path of ['/clients/a%2Fb?c=%2F', '/direct-authz/sessions/d%2Fe'])
        for (let round = 0; round < 6; round += 1) {
          const response = await send(path);
          expect([response.status, await response.json()]).toMatchObject([200, { method, url: path }]);
        }
      for (const path of ['/clients/cut', '/direct-authz/sessions/cut'])
        for (let round = 0; round < 4; round += 1) {
          cuts.length = 0;
          expect((await send(path)).status).toBe(503);
          expect(cuts).toEqual([`${method} ${path}`]);
        }
    },
  );

  it('has no paths besides those of the services', async () => {
    for (const path of ['/once/clients/a', '/once/direct-authz/a', '/once/'])
      for (const method of ['GET', 'PUT']) {
        const response = await fetch(base + path, { method });
        expect([response.status, await response.text()], path).not.toEqual([200, expect.anything()]);
      }
  });

  it('routes operator endpoints only when configured', async () => {
    const { port } = await startGateway({ behind, hasOperatorRoutes: false, toEnd });
    const paths = [
      '/direct-authz',
      '/direct-authz/revoke',
      '/%64irect-authz',
      '/logout/deliveries',
      '/logout/deliveries/1/redeliver',
      '//direct-authz',
    ];
    for (const path of paths)
      for (const method of ['GET', 'POST', 'DELETE', 'PUT']) {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
        expect([response.status, await response.text()], `${method} ${path}`).toEqual([404, '']);
      }
    for (const path of ['/logout', '/logout/x', '/clients/a'])
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status, path).toBe(200);
  });

  it('sends what no service has to a server of your own, and the keys and the API to the authorization service', async () => {
    const own = createServer(echoRequest('own')).listen(0, '127.0.0.1');
    await once(own, 'listening');
    toEnd.add(async () => void own.close());
    const { port: ownPort } = own.address() as AddressInfo;
    const { port } = await startGateway({
      behind: new Map([...behind, ['host.docker.internal:3001', [`127.0.0.1:${ownPort}`]]]),
      provider: 'own-server.conf',
      hasOperatorRoutes: true,
      toEnd,
    });
    const owner = async (path: string) =>
      JSON.parse(await (await fetch(`http://127.0.0.1:${port}${path}`)).text()).service;
    for (const path of ['/', '/authorize', '/token', '/jwks', '/.well-known/openid-configuration'])
      expect([path, await owner(path)]).toEqual([path, 'own']);
    for (const path of ['/jwks.json', '/direct-authz/sessions', '/.well-known/openapi/authorization.json'])
      expect([path, await owner(path)]).toEqual([path, 'authorization']);
    expect(await owner('/clients/a')).toBe('registration');
  });

  it('refuses a path with dot segments, which nginx and a service would read differently', async () => {
    const { port } = await startGateway({ behind, hasOperatorRoutes: false, toEnd });
    const paths = [
      '/direct-authz/sessions/..%2f..%2fauth',
      '/direct-authz/sessions/../../clients/x',
      '/direct-authz/sessions/%2E%2e%2F.%2e/clients/x',
      '/logout/deliveries/..%2fx',
      '/x/..%2Fdirect-authz',
      '/clients/.',
    ];
    for (const path of paths)
      for (const method of ['GET', 'DELETE']) {
        // `fetch` would resolve the path.
        const sent = httpRequest({ host: '127.0.0.1', port, path, method }).end();
        const [response]: IncomingMessage[] = await once(sent, 'response');
        response?.resume();
        expect(response?.statusCode, `${method} ${path}`).toBe(400);
      }
    for (const path of ['/clients/a..b', '/clients/..a', '/logout?to=/../x'])
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status, path).toBe(200);
  });

  it('accepts the long headers of a logout page', async () => {
    expect((await fetch(`${base}/logout?wide`)).status).toBe(200);
  });

  it('responds for a service that does not run: 503, without a body and without a version', async () => {
    for (const [name, server] of servers) {
      if (!name.startsWith('federation')) continue;
      server.closeAllConnections();
      server.close();
    }
    const response = await fetch(`${base}/federation/explain?secret-of-a-query`);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('server')).toBe('nginx');
    expect(await response.text()).toBe('');
    expect((await fetch(`${base}/logout`)).status).toBe(200);
  });

  it('sends its own refusals without a body and without a version', async () => {
    const large = await fetch(`${base}/clients`, { method: 'POST', body: 'x'.repeat(1_100_000) });
    expect([large.status, await large.text(), large.headers.get('server')]).toEqual([400, '', 'nginx']);
    const socket = connect(gatewayPort, '127.0.0.1');
    socket.write('GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n');
    const [chunk] = await once(socket, 'data');
    socket.destroy();
    expect(String(chunk)).toMatch(/^HTTP\/1\.1 400 /);
    expect(String(chunk)).not.toMatch(/nginx\/\d|<html/);
  });

  it('logs no query and no header', async () => {
    await request('/logout?id_token_hint=secret-of-a-hint', { authorization: 'Bearer secret-of-a-header' });
    await expect.poll(log).toContain('"path":"/logout"');
    expect(log()).toContain('"client":"127.0.0.1"');
    expect(log()).not.toContain('secret-of-a');
  });
});

it('listens on the port that the compose file publishes', () => {
  const conf = readFileSync(join(DOCKER_FOLDER, 'gateway', 'nginx.conf'), 'utf8');
  expect(compose.services['gateway']?.ports?.[0]).toMatch(new RegExp(`:${/listen (\d+);/.exec(conf)?.[1]}$`));
});

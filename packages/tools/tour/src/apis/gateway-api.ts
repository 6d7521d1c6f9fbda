import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Closers, freePort } from '@vestibule/local-services';
import { ROOT } from '../stack/root.js';
import { type StackProgram, startStackProcess } from '../stack/stack-process.js';
import { startNginx } from './nginx.js';
import { type ApiPlace, type OpenApi, PATHS, SCOPES } from './protected-api.js';

const FORWARD_AUTH: StackProgram = { app: 'forward-auth', readyOutput: '"listening"' };
/** The example has these ports for the gateway, forward authentication and the API. */
const EXAMPLE = join(ROOT, 'apps', 'forward-auth', 'examples', 'nginx.conf');
const EXAMPLE_PORTS = /\b(?:3000|8086|9000)\b/g;

/** Starts an API that checks no tokens, behind nginx, which asks forward authentication about each request. */
export const openGatewayApi: OpenApi = async (place, toEnd) => {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-tour-gateway-'));
  toEnd.add(() => rm(folder, { recursive: true, force: true }));
  const address = `http://127.0.0.1:${place.port}`;
  const ports: Readonly<Record<string, string>> = {
    3000: String(place.port),
    8086: String(await startForwardAuth(place, { address, folder }, toEnd)),
    9000: String(await startUpstream(toEnd)),
  };
  const example = await readFile(EXAMPLE, 'utf8');
  const configuration = example.replace(EXAMPLE_PORTS, (port) => ports[port] ?? port);
  await writeFile(join(folder, 'nginx.conf'), configuration);
  await startNginx({ folder, port: place.port }, toEnd);
  return { name: place.name, address };
};

/** @returns its port */
async function startForwardAuth(
  { name, issuer, instance, client }: ApiPlace,
  { address, folder }: { readonly address: string; readonly folder: string },
  toEnd: Closers,
): Promise<number> {
  const routesFile = join(folder, 'routes.json');
  const routes = PATHS.map((path) => ({ path, methods: ['GET'], scope: SCOPES[path] }));
  // The tokens of the tour are for every API; the introspection endpoint compares the audience of others.
  const resources = [{ identifier: address, name, audience_checked: false, routes }];
  await writeFile(routesFile, JSON.stringify({ resources }));
  const port = await freePort();
  const forwardAuth = startStackProcess(FORWARD_AUTH, {
    BASE_URL: issuer,
    PORT: String(port),
    MANAGEMENT_PORT: '0',
    ROUTES_FILE: routesFile,
    INTROSPECTION_CLIENT_ID: client.id,
    INTROSPECTION_CLIENT_SECRET: client.secret,
    INTROSPECTION_ENDPOINT: `${instance}/token/introspect`,
    TOKEN_CHANGES_ENDPOINT: `${instance}/token/changes`,
  });
  toEnd.add(forwardAuth.stop);
  await forwardAuth.ready;
  return port;
}

/** Starts the API, which responds with the identity headers of the request. @returns its port */
async function startUpstream(toEnd: Closers): Promise<number> {
  const upstream = createServer(({ headers }, response) => {
    const identity = Object.entries(headers).filter(([name]) => name.startsWith('x-token-'));
    const body = { sub: headers['x-token-subject'], ...Object.fromEntries(identity) };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  toEnd.add(async () => {
    upstream.close();
    upstream.closeAllConnections();
  });
  return (upstream.address() as AddressInfo).port;
}

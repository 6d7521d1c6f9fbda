import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@vestibule/local-services';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ROOT } from '../src/root.js';
import { pageBlocks, replaceTexts } from './walk/page-blocks.js';
import { ambiguousPaths, requestPath } from './walk/raw-request.js';
import { type PageWalk, walkPage } from './walk/walk-page.js';

const GATEWAY = '3000';
const SERVICES = '8080';
const WAIT_MS = 60_000;

/** Keycloak ignores what follows a semicolon in a path. */
const REGISTRATION_AT_KEYCLOAK = [
  '/realms/shop/clients-registrations/default',
  '/realms/shop/clients-registrations/openid-connect/x',
  '/realms/shop/clients-registrations;x/default',
  '/realms/shop;x/clients-registrations/default',
  '/realms/shop%3Bx/clients-registrations/default',
];

/** Each page with an nginx configuration: the path of its issuer, the ports of the other servers, what none of them sees. */
const PAGES = [
  { guide: 'join-node-oidc-provider.md', prefix: '', others: ['3001'], withheld: [] },
  { guide: 'join-over-http.md', prefix: '', others: ['3001'], withheld: [] },
  { guide: 'join-ory-hydra.md', prefix: '', others: ['4444', '5555', '5556'], withheld: [] },
  {
    guide: 'join-keycloak.md',
    prefix: '/realms/shop',
    others: ['8180'],
    withheld: REGISTRATION_AT_KEYCLOAK,
  },
];

describe.each(PAGES)('the gateway of $guide', ({ guide, prefix, others, withheld }) => {
  /** The paths that each server behind the gateway has seen, by its port on the page. */
  const seen = new Map<string, string[]>();
  const servers: Server[] = [];
  let folder: string;
  let walk: PageWalk;
  let origin: string;

  beforeAll(async () => {
    const replaced = new Map([[GATEWAY, String(await freePort())]]);
    for (const port of [SERVICES, ...others]) {
      const server = createServer((request, response) => {
        seen.get(port)?.push(request.url ?? '');
        response.end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      servers.push(server);
      replaced.set(port, String((server.address() as AddressInfo).port));
    }
    folder = mkdtempSync(join(tmpdir(), 'vestibule-gateway-'));
    const page = readFileSync(join(ROOT, 'packages', 'guides', guide), 'utf8');
    walk = walkPage({ page, folder, replaced });
    const { text = '' } = pageBlocks(page).find(({ info }) => info === 'nginx.conf') ?? {};
    walk.write('nginx.conf', replaceTexts(text, replaced));
    walk.start(`nginx -p "$PWD" -c nginx.conf -g 'daemon off;'`);
    origin = `http://localhost:${replaced.get(GATEWAY)}`;
    await vi.waitFor(() => requestPath(origin, '/'), { timeout: WAIT_MS });
  });

  beforeEach(() => {
    for (const port of [SERVICES, ...others]) seen.set(port, []);
  });

  afterAll(async () => {
    await walk.stop();
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const seenBy = (port: string) => seen.get(port) ?? [];
  const seenByAny = () => [...seen.values()].flat();

  it('refuses paths that nginx and the servers read differently, before a server sees them', async () => {
    const paths = ambiguousPaths(prefix);
    const statuses = await Promise.all(paths.map((path) => requestPath(origin, path)));
    expect(paths.filter((_path, index) => statuses[index] !== 400)).toEqual([]);
    expect(seenByAny()).toEqual([]);
  });

  it.each([
    '/clients',
    '/clients/x?limit=1',
    '/clients/https%3A%2F%2Frp.example',
    '/clients/a..b',
    '/clients/..a/secret',
    '/clients/x?after=../y',
    '/token/introspect',
  ])('sends %s to the services as it is, below the path of the issuer', async (path) => {
    expect(await requestPath(origin, prefix + path)).toBe(200);
    expect([seenBy(SERVICES), seenByAny()]).toEqual([[path], [path]]);
  });

  it.each([
    '/direct-authz',
    '/direct-authz/revoke',
    '//direct-authz/revoke',
    '/%64irect-authz/revoke',
    '/clients%2e%2e/direct-authz',
    '/clientsx',
    '/token/introspect/x',
    '/token/changes',
    '/logout/deliveries',
  ])('sends %s to none of the services', async (path) => {
    await requestPath(origin, prefix + path);
    await requestPath(origin, path);
    expect(seenBy(SERVICES)).toEqual([]);
  });

  if (withheld.length > 0)
    it.each(withheld)('sends %s to no server', async (path) => {
      expect(await requestPath(origin, path)).toBeGreaterThanOrEqual(400);
      expect(seenByAny()).toEqual([]);
    });
});

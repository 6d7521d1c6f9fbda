import { expect, it, onTestFinished, vi } from 'vitest';
import { jsonBody } from '../bodies/json-body.js';
import { createServer } from '../server/server.js';
import { sampleErrors } from '../testing/sample-errors.js';
import { documentedRouteGroup } from './documented-route-group.js';
import { openApiDocument } from './openapi-document.js';

const PATH = '/.well-known/openapi/items.json';
const generate = () =>
  openApiDocument({
    title: 'Items',
    description: 'Keeps items.',
    version: '1',
    securitySchemes: {},
    tags: {},
    routeGroups: [],
  });

function serving(hasPage: boolean | undefined) {
  const server = createServer({ logger: false });
  const routeGroup = { name: 'items', body: jsonBody(), errors: sampleErrors, routes: () => {} };
  server.register(documentedRouteGroup(routeGroup, { path: PATH, document: generate, hasPage }));
  onTestFinished(() => server.close());
  return (url: string) => server.inject({ url });
}

it('serves only the document unless the page is enabled', async () => {
  for (const hasPage of [undefined, false]) {
    const get = serving(hasPage);
    expect((await get(PATH)).json()).toEqual(JSON.parse(JSON.stringify(generate())));
    for (const url of ['/.well-known/openapi/items', '/.well-known/openapi/items/start.js'])
      expect((await get(url)).statusCode, url).toBe(404);
  }
});

it('generates the document once, at its first request', async () => {
  const document = vi.fn(generate);
  const server = createServer({ logger: false });
  const routeGroup = { name: 'items', body: jsonBody(), errors: sampleErrors, routes: () => {} };
  server.register(documentedRouteGroup(routeGroup, { path: PATH, document }));
  onTestFinished(() => server.close());
  await server.ready();
  expect(document).not.toHaveBeenCalled();
  const [first, second] = [await server.inject(PATH), await server.inject(PATH)];
  expect(first.body).toBe(second.body);
  expect(document).toHaveBeenCalledOnce();
});

it('serves a page that loads files from this server only, and has no inline script', async () => {
  const get = serving(true);
  const { body, headers } = await get('/.well-known/openapi/items');
  const { 'content-security-policy': policy = '', 'content-type': type } = headers;
  expect(type).toBe('text/html; charset=utf-8');
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
  expect(policy).not.toMatch(/unsafe|https?:/);
  expect(body).not.toMatch(/<script>|<style|https?:/);
  const loaded = [...body.matchAll(/(?:src|href)="(items[^"]*)"/g)].map(([, address = '']) => address);
  expect(loaded).toContain('items/swagger-ui-bundle.js');
  for (const address of loaded) {
    const response = await get(`/.well-known/openapi/${address}`);
    expect([response.statusCode, response.headers['x-content-type-options'] ?? 'nosniff'], address).toEqual([
      200,
      'nosniff',
    ]);
  }
});

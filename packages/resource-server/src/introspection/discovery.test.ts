import { describe, expect, it } from 'vitest';
import { json, startProgrammedServer } from '../testing/authorization-server.js';
import { active, aResourceServer, bearer, summary } from '../testing/resource-server-fixture.js';
import { metadataAddresses } from './discovery.js';

/** An authorization server whose documents are at given paths. */
async function discoverable(documents: (url: string) => Readonly<Record<string, unknown>>) {
  const authorizationServer = await startProgrammedServer((request, response) => {
    const document = documents(authorizationServer.url)[request.path];
    json(document ?? {}, document === undefined ? 404 : 200)(request, response);
  });
  const { url } = authorizationServer;
  const fixture = aResourceServer(url, 'discovered');
  const paths = () => authorizationServer.requests.map(({ path }) => path);
  return { ...fixture, authorizationServer, paths };
}

const OAUTH = '/.well-known/oauth-authorization-server';
const OIDC = '/.well-known/openid-configuration';

describe('the introspection endpoint', () => {
  it.each([OAUTH, OIDC])('is discovered at %s, once', async (path) => {
    const { server, paths } = await discoverable((url) => ({
      [path]: { issuer: url, introspection_endpoint: `${url}/introspect` },
      '/introspect': active(),
    }));
    const both = await Promise.all([server.verify(bearer()), server.verify(bearer('another'))]);
    expect([...both, await server.verify(bearer())].map(summary)).toEqual([
      'accepted',
      'accepted',
      'accepted',
    ]);
    const before = path === OAUTH ? [OAUTH] : [OAUTH, OIDC];
    expect(paths()).toEqual([...before, '/introspect', '/introspect', '/introspect']);
  });

  it.each<[string, (url: string) => unknown]>([
    ['names another issuer', (url) => ({ issuer: `${url}/`, introspection_endpoint: `${url}/introspect` })],
    ['names no endpoint', (url) => ({ issuer: url })],
    [
      'names an endpoint that is not https',
      (url) => ({ issuer: url, introspection_endpoint: 'http://a.example/' }),
    ],
    ['names an endpoint that is no URL', (url) => ({ issuer: url, introspection_endpoint: '/introspect' })],
    ['is not an object', () => []],
  ])('is not taken from metadata that %s: 503', async (_what, metadata) => {
    const { server, problems, paths } = await discoverable((url) => ({
      [OAUTH]: metadata(url),
      '/introspect': active(),
    }));
    expect(summary(await server.verify(bearer()))).toBe('503 unavailable');
    expect(problems.map(({ reason }) => reason)).toEqual(['discovery']);
    expect(paths()).not.toContain('/introspect');
  });

  it('is looked for again after a second, and stays known while metadata cannot be read', async () => {
    let isUp = false;
    const { server, monotonic, paths } = await discoverable((url): Record<string, unknown> => {
      const metadata = { [OAUTH]: { issuer: url, introspection_endpoint: `${url}/introspect` } };
      return { '/introspect': active(), ...(isUp && metadata) };
    });
    const outcome = async () => summary(await server.verify(bearer()));
    expect(await outcome()).toBe('503 unavailable');
    isUp = true;
    monotonic.nowMs += 999;
    expect(await outcome()).toBe('503 unavailable');
    expect(paths()).toEqual([OAUTH, OIDC]);
    monotonic.nowMs += 1;
    expect(await outcome()).toBe('accepted');
    isUp = false;
    monotonic.nowMs += 3_600_000;
    expect(await outcome()).toBe('accepted');
    expect(await outcome()).toBe('accepted');
  });

  it('of an issuer with a path is looked for at both places (RFC 8414 section 3.1)', () => {
    expect(metadataAddresses('https://as.example/tenant').map(String)).toEqual([
      'https://as.example/.well-known/oauth-authorization-server/tenant',
      'https://as.example/tenant/.well-known/openid-configuration',
    ]);
    expect(metadataAddresses('https://as.example/').map(String)).toEqual([
      'https://as.example/.well-known/oauth-authorization-server',
      'https://as.example/.well-known/openid-configuration',
    ]);
  });
});

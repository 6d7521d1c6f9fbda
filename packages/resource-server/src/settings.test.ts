import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createResourceServer } from './create-resource-server.js';
import type { ResourceServerOptions } from './options.js';
import { checkedSettings } from './settings.js';

const OPTIONS: ResourceServerOptions = {
  issuer: 'https://as.example',
  resource: { identifier: 'https://api.example' },
  credentials: { method: 'client_secret_basic', clientId: 'rs1', clientSecret: 'a-secret' },
};

const problem = (deviation: Partial<ResourceServerOptions>) => {
  try {
    createResourceServer({ ...OPTIONS, ...deviation }).close();
    return undefined;
  } catch (error) {
    return error instanceof TypeError ? error.message : error;
  }
};

describe('options that cannot be used are refused at the start', () => {
  it.each<[Partial<ResourceServerOptions>, RegExp]>([
    [{ issuer: 'as.example' }, /^issuer: must be an absolute URL$/],
    [{ issuer: 'http://as.example' }, /^issuer: must be an https URL/],
    [{ issuer: 'https://as.example?a=1' }, /^issuer: must have no query$/],
    [{ introspectionEndpoint: 'https://u:p@as.example/' }, /^introspectionEndpoint: must have no user name/],
    [{ resource: { identifier: 'https://api.example#a' } }, /^resource.identifier: .* no fragment$/],
    [{ resource: { identifier: 'urn:api' } }, /^resource.identifier: must be an https URL/],
    [{ resource: { identifier: 'https://api.example', audience: [] } }, /^resource.audience: /],
    [{ cache: { lifetimeSeconds: -1 } }, /^cache.lifetimeSeconds: /],
    [{ cache: { lifetimeSeconds: Number.NaN } }, /^cache.lifetimeSeconds: /],
    [{ clockSkewSeconds: 301 }, /^clockSkewSeconds: must lie between 0 and 300$/],
    [{ connection: { maxConcurrent: 0 } }, /^connection.maxConcurrent: must lie between 1 and 10000$/],
    [{ connection: { maxWaiting: -1 } }, /^connection.maxWaiting: must lie between 0 and 1000000$/],
    [{ dpop: { algorithms: [] } }, /^dpop.algorithms: /],
    [{ dpop: { algorithms: ['none' as never] } }, /^dpop.algorithms: /],
    [{ signedResponses: { algorithms: ['HS256' as never] } }, /^signedResponses.algorithms: /],
    [{ connection: { allowedHosts: ['*.example'] } }, /^an allowed host/],
  ])('%j', (deviation, message) => {
    expect(problem(deviation)).toMatch(message);
  });

  it('http is for loopback and allowed hosts', () => {
    expect(problem({ issuer: 'http://localhost:8080' })).toBeUndefined();
    expect(problem({ issuer: 'http://127.0.0.1:8080' })).toBeUndefined();
    expect(
      problem({ issuer: 'http://gateway:8080', connection: { allowedHosts: ['gateway:8080'] } }),
    ).toBeUndefined();
    expect(
      problem({ issuer: 'http://gateway:8081', connection: { allowedHosts: ['gateway:8080'] } }),
    ).toMatch(/^issuer/);
  });

  it('every method of authentication is known', () => {
    const key = createSecretKey(randomBytes(32));
    for (const credentials of [
      { method: 'client_secret_post', clientId: 'rs1', clientSecret: 's' },
      { method: 'private_key_jwt', clientId: 'rs1', key, algorithm: 'ES256' },
      { method: 'tls_client_auth', clientId: 'rs1' },
      { method: 'access_token', clientId: 'rs1', accessToken: async () => 'token' },
    ] as const)
      expect(problem({ credentials })).toBeUndefined();
  });
});

describe('protected resource metadata (RFC 9728)', () => {
  it('name the API and its authorization server', () => {
    const server = createResourceServer({
      ...OPTIONS,
      resource: {
        identifier: 'https://api.example/orders',
        scopes: ['orders:read'],
        name: 'Orders',
        documentation: 'https://docs.example/orders',
      },
      dpop: { algorithms: ['ES256'] },
    });
    const { url, path, document, json } = server.metadata();
    expect([url, path]).toEqual([
      'https://api.example/.well-known/oauth-protected-resource/orders',
      '/.well-known/oauth-protected-resource/orders',
    ]);
    expect(document).toEqual({
      resource: 'https://api.example/orders',
      authorization_servers: ['https://as.example'],
      scopes_supported: ['orders:read'],
      bearer_methods_supported: ['header'],
      resource_name: 'Orders',
      resource_documentation: 'https://docs.example/orders',
      dpop_signing_alg_values_supported: ['ES256'],
    });
    expect(JSON.parse(json)).toEqual(document);
    server.close();
  });

  it('lie between the host and the path and query of the identifier, without a slash after the host (section 3.1)', () => {
    const WELL_KNOWN = 'https://api.example/.well-known/oauth-protected-resource';
    const urls = [
      ['https://api.example', ''],
      ['https://api.example/', ''],
      ['https://api.example/v1/', '/v1/'],
      ['https://api.example/?tenant=a', '?tenant=a'],
      ['https://api.example/v1?tenant=a', '/v1?tenant=a'],
    ] as const;
    for (const [identifier, suffix] of urls) {
      const server = createResourceServer({ ...OPTIONS, resource: { identifier } });
      expect(server.metadata().url, identifier).toBe(WELL_KNOWN + suffix);
      expect(server.metadata().document['resource']).toBe(identifier);
      server.close();
    }
  });

  it('omit an empty list of scope values (section 3.2)', () => {
    const resource = { identifier: 'https://api.example', scopes: [] };
    const server = createResourceServer({ ...OPTIONS, resource });
    expect(server.metadata().document).not.toHaveProperty('scopes_supported');
    server.close();
  });
});

it('counts the time for which the machine was suspended', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { monotonic } = checkedSettings(OPTIONS);
  const startedAtMs = monotonic();
  vi.advanceTimersByTime(500);
  expect(monotonic() - startedAtMs).toBe(500);
  vi.setSystemTime(Date.now() + 12_000);
  expect(monotonic() - startedAtMs).toBe(12_500);
});

import { NO_STORE } from '@vestibule/http/testing';
import { describe, expect, it } from 'vitest';
import { API, aForwardAuth, bearer, NOW } from '../support/forward-auth-fixture.js';

const NOTHING = {
  'x-token-subject': '',
  'x-token-client': '',
  'x-token-scope': '',
  'x-token-username': '',
  'x-token-issuer': '',
  'x-token-expiry': '',
};

describe('a request may pass', () => {
  it('with an active token that has the scope of its route, and tells the upstream about it', async () => {
    const { check, issue } = await aForwardAuth();
    const token = issue({ username: 'Ada Lovelace', iss: 'https://as.example', exp: NOW + 600 });
    expect(await check('GET /orders/7?full', bearer(token))).toEqual({
      status: 200,
      headers: {
        ...NO_STORE,
        'x-token-subject': 'ada',
        'x-token-client': 'app',
        'x-token-scope': 'orders:read',
        'x-token-username': 'Ada%20Lovelace',
        'x-token-issuer': 'https://as.example',
        'x-token-expiry': String(NOW + 600),
      },
      body: '',
    });
  });

  it('with any active token for the resource where the route has an empty scope', async () => {
    const { check, issue } = await aForwardAuth();
    const token = issue({ scope: undefined, sub: undefined, client_id: undefined });
    const { status, headers } = await check('DELETE /profile', bearer(token));
    expect([status, headers]).toEqual([200, { ...NO_STORE, ...NOTHING }]);
  });

  it('without a token on a public route, and tells the upstream nothing, whatever the request has', async () => {
    const { check, endpoint } = await aForwardAuth();
    for (const headers of [
      {},
      { authorization: 'Bearer made-up', 'x-token-subject': 'root', 'x-token-scope': 'all' },
    ]) {
      const response = await check('HEAD /health', { headers });
      expect(response).toEqual({ status: 200, headers: { ...NO_STORE, ...NOTHING }, body: '' });
    }
    expect(endpoint.requests()).toBe(0);
  });

  it('without the identity of the token, if the settings say so, but with empty headers', async () => {
    const { check, issue } = await aForwardAuth({ settings: { IDENTITY_HEADERS_ENABLED: 'false' } });
    const { headers } = await check('GET /orders', bearer(issue()));
    expect(headers).toEqual({ ...NO_STORE, ...NOTHING });
  });

  it('has the identity of the token, not that which the client claims', async () => {
    const { check, issue } = await aForwardAuth();
    const { headers } = await check('GET /orders', {
      headers: {
        authorization: `Bearer ${issue({ username: undefined })}`,
        'x-token-subject': 'root',
        'x-token-username': 'root',
      },
    });
    expect([headers['x-token-subject'], headers['x-token-username']]).toEqual(['ada', '']);
  });

  it('to the resource of its host, with the audience of that resource', async () => {
    const routes = [{ path: '/*', scope: '' }];
    const { check, issue } = await aForwardAuth({
      resources: [
        { identifier: API, routes },
        { identifier: 'https://b.example', audience: ['b'], hosts: ['b.example', 'localhost:3000'], routes },
        { identifier: 'https://c.example', audience_checked: false, routes },
      ],
    });
    const outcomes = async (token: string) => {
      const hosts = ['api.example', 'localhost:3000', 'C.example.'];
      const responses = await Promise.all(hosts.map((host) => check('GET /', { ...bearer(token), host })));
      return responses.map(({ status }) => status);
    };
    expect(await outcomes(issue({ aud: [API] }))).toEqual([200, 401, 200]);
    expect(await outcomes(issue({ aud: 'b' }))).toEqual([401, 200, 200]);
    expect(await outcomes(issue({ aud: undefined }))).toEqual([401, 401, 200]);
  });

  it('from the cache for as long as the settings say', async () => {
    const { check, issue, endpoint } = await aForwardAuth({ settings: { TOKEN_CACHE_SECONDS: '60' } });
    const token = issue();
    await check('GET /orders', bearer(token));
    expect((await check('GET /orders', bearer(token))).status).toBe(200);
    expect(endpoint.requests()).toBe(1);
  });
});

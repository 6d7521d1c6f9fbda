import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { aForwardAuth, bearer, forwarded } from '../support/forward-auth-fixture.js';
import { sendRequest } from '../support/send-request.js';

const VOLATILE = ['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'];

/** Sends each request through a socket, where the fast path is, and to the route alone. */
async function bothWays(settings: Readonly<Record<string, string>> = {}) {
  const fixture = await aForwardAuth({ settings: { TOKEN_CACHE_SECONDS: '60', ...settings } });
  const { app, forwardAuth } = fixture;
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const ask = async (target: string, request: Parameters<typeof forwarded>[2] = {}) => {
    const [method = '', uri = ''] = target.split(' ');
    const headers = forwarded(method, uri, request);
    const front = await sendRequest(port, 'GET /check', headers);
    const routed = await app.inject({ url: '/check', headers });
    return [
      { status: front.status, headers: stable(front.headers), body: front.body },
      { status: routed.statusCode, headers: stable(routed.headers), body: routed.body },
    ] as const;
  };
  const accepted = () =>
    forwardAuth.metrics.all.find(({ name }) => name === 'resource_server_requests_total')?.read()[0]?.value;
  return { ...fixture, ask, accepted };
}

function stable(headers: object): object {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !VOLATILE.includes(name)));
}

describe('a check through a socket', () => {
  it.each([
    ['of a public route', 'GET /health', {}, 200],
    ['with a cached token', 'GET /orders', {}, 200],
    ['without the scope', 'POST /orders', { scope: 'x' }, 403],
    ['with a token for another resource', 'GET /orders', { aud: 'https://other.example' }, 401],
    ['without a route', 'GET /admin', {}, 403],
    ['with an ambiguous path', 'GET /health/', {}, 400],
  ])('has the response of the route: %s', async (_what, target, members, status) => {
    const { ask, issue } = await bothWays();
    const request = bearer(issue(members));
    await ask(target, request);
    const [front, routed] = await ask(target, request);
    expect(front.status).toBe(status);
    expect(front).toEqual(routed);
  });

  it('has the nonce of the resource and the signed token, which are those of the route', async () => {
    const key = Buffer.alloc(32, 7).toString('base64url');
    const { ask, issue } = await bothWays({ DPOP_NONCE_KEY: key, UPSTREAM_TOKEN_KEYS: A_KEY });
    const request = bearer(issue());
    await ask('GET /orders', request);
    const [front, routed] = await ask('GET /orders', request);
    expect(front).toEqual(routed);
    expect(front.headers).toMatchObject({
      'dpop-nonce': expect.any(String),
      authorization: expect.stringMatching(/^Bearer \w+\.\w+\./),
    });
  });

  it('is counted once', async () => {
    const { ask, issue, accepted } = await bothWays();
    const request = bearer(issue());
    for (const count of [2, 4, 6]) {
      await ask('GET /orders', request);
      expect(accepted()).toBe(count);
    }
  });

  it('is refused as soon as the token ends', async () => {
    const { ask, issue, clock } = await bothWays();
    const request = bearer(issue({ exp: Math.floor(clock.nowMs() / 1000) + 5 }));
    expect((await ask('GET /orders', request))[0].status).toBe(200);
    clock.advanceSeconds(5);
    expect((await ask('GET /orders', request))[0].status).toBe(401);
  });
});

it.each([
  ['true', 0],
  ['false', 1],
])(
  'a check through a socket passes Fastify, or not, with FORWARD_AUTH_FAST_PATH=%s',
  async (setting, count) => {
    const { app } = await aForwardAuth({ settings: { FORWARD_AUTH_FAST_PATH: setting } });
    let requests = 0;
    app.addHook('onRequest', async () => {
      requests += 1;
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    expect((await sendRequest(port, 'GET /check', forwarded('GET', '/health'))).status).toBe(200);
    expect(requests).toBe(count);
  },
);

/** A key for tests. It gives access to nothing. */
const A_KEY = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
-----END PRIVATE KEY-----
`;

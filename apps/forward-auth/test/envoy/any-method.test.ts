import type { AddressInfo } from 'node:net';
import { NO_STORE } from '@vestibule/http/testing';
import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { aForwardAuth, RESOURCES } from '../support/forward-auth-fixture.js';
import { sendRequest } from '../support/send-request.js';

/** Asks as Envoy does: with method, host and path of the client. */
async function anEnvoy(options: Parameters<typeof aForwardAuth>[0] = {}) {
  const fixture = await aForwardAuth(options);
  const ask = (request: string, { headers, ...rest }: InjectOptions = {}) => {
    const [method = '', path = ''] = request.split(' ');
    return fixture.app.inject({
      method: method as 'GET',
      url: `/envoy${path}`,
      headers: { host: 'api.example', ...headers },
      ...rest,
    });
  };
  return { ...fixture, ask };
}

describe('a request below /envoy', () => {
  it('is that of the client, in every method', async () => {
    const resources = [{ ...RESOURCES[0], routes: [{ path: '/orders/*', scope: 'orders:read' }] }];
    const { ask, issue } = await anEnvoy({ resources });
    const headers = { authorization: `Bearer ${issue()}` };
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const response = await ask(`${method} /orders/7?full`, { headers });
      expect([method, response.statusCode, response.headers['x-token-subject']]).toEqual([
        method,
        200,
        'ada',
      ]);
      expect(response.headers).toMatchObject(NO_STORE);
    }
  });

  it('may have a body and a media type, which are ignored', async () => {
    const { ask, issue } = await anEnvoy();
    const headers = { authorization: `Bearer ${issue()}`, 'content-type': 'application/json' };
    expect((await ask('POST /orders', { headers, payload: '{' })).statusCode).toBe(200);
    expect((await ask('POST /orders', { headers })).statusCode).toBe(200);
  });

  it('is refused as at /check', async () => {
    const { ask, issue } = await anEnvoy();
    expect((await ask('GET /orders')).statusCode).toBe(401);
    expect((await ask('GET /admin')).statusCode).toBe(403);
    const headers = { authorization: `Bearer ${issue({ scope: '' })}` };
    const refused = await ask('GET /orders', { headers });
    expect([refused.statusCode, refused.json().error]).toEqual([403, 'insufficient_scope']);
    expect(refused.headers['www-authenticate']).toMatch(/insufficient_scope/);
  });

  it('is not described by X-Forwarded headers, which the client may have written', async () => {
    const { ask } = await anEnvoy();
    const headers = {
      'x-forwarded-method': 'GET',
      'x-forwarded-uri': '/health',
      'x-forwarded-host': 'api.example',
    };
    expect((await ask('GET /orders', { headers })).statusCode).toBe(401);
  });

  it.each([
    '/health/../orders',
    '//health',
    '/health%2f',
    '/%zz',
    '/orders/%ff',
    '/health%00',
    '/%2e%2e/check',
  ])('is refused if its path is ambiguous: %s', async (path) => {
    const resources = [{ ...RESOURCES[0], routes: [{ path: '/*', access: 'public' }] }];
    const { app } = await aForwardAuth({ resources });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const status = async (each: string) =>
      (await sendRequest(port, `GET /envoy${each}`, { host: 'api.example' })).status;
    expect([await status('/health'), await status(path)]).toEqual([200, 400]);
  });
});

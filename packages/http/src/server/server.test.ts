import { METHODS } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { route } from '../routes/route.js';
import { sampleServer } from '../testing/index.js';
import { createServer } from './server.js';

const credentials = route({
  handler: (request, reply) => {
    const { id } = Object(request.params);
    reply.code(request.headers.authorization === 'Bearer right' ? 200 : 401).send({ id });
  },
});
const sample = sampleServer({
  '/clients': { GET: credentials, POST: credentials },
  '/clients/:id': { GET: credentials, PUT: credentials, DELETE: credentials },
});
const { server } = sample;
afterAll(() => server.close());

const get = (url: string, headers: Record<string, string> = {}) =>
  server.inject({ method: 'GET', url, headers });

const SPELLINGS = [
  '/%63lients',
  '/clients%2f',
  '/clients%2fa',
  '/clients%5ca',
  '//clients',
  '/clients//',
  '/clients//a',
  '///clients///a',
  '/clients/',
  '/clients/;x',
  '/clients;x',
  '/clients;x=1/a',
  '/clients/a;x',
  '/clients/a/',
  '/clients/a/b',
  '/clients/.',
  '/clients/..',
  '/clients/../clients',
  '/clients/%2e%2e/clients',
  '/./clients',
  '/x/../clients',
  '/Clients',
  '/CLIENTS/a',
  '/clients.',
  '/clients.json',
  '/clients%00',
  '/clients%20',
  '/clients%09',
  '/clients?',
  '/clients#a',
  '/clients?a=b&a=b',
  '/clients/%zz',
  '/clients/%',
  '/%zz',
  '/%c3%28/a',
  '/clients/%ff',
  '/clients/%00',
  '/clients/a%00b',
  '/clients/%ed%a0%80',
  '/cl%69ents/%61',
  '/',
  '*',
  'clients',
  'http://evil.example/clients',
  'http://evil.example/%zz',
  'https://user:pw@evil.example:1/clients/a',
  '\\clients',
  '/clients\\a',
];

describe('URLs', () => {
  it('never succeed without credentials, however they are written', async () => {
    for (const url of SPELLINGS) {
      for (const method of METHODS.filter((each) => each !== 'CONNECT')) {
        const response = await server.inject({
          method: method as 'GET',
          url: { pathname: url },
          payload: '',
        });
        expect([url, method, [401, 404, 405].includes(response.statusCode)]).toEqual([url, method, true]);
        if (response.statusCode === 404) expect(response.body).toBe('');
      }
    }
  });

  it('get an empty 404 if there is no route, whatever is sent there', async () => {
    for (const headers of [
      {},
      { 'content-type': 'application/json' },
      { 'content-type': 'x' },
      { expect: 'x' },
    ]) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'PATCH'] as const) {
        const response = await server.inject({ method, url: '/nothing', headers, payload: 'x' });
        expect([response.statusCode, response.body, response.headers['content-type']]).toEqual([
          404,
          '',
          undefined,
        ]);
      }
    }
  });

  it('reach the route with an undecodable identifier, and the route checks credentials', async () => {
    for (const id of ['%zz', '%', '%ff', '%ed%a0%80', 'a%c3']) {
      expect((await get(`/clients/${id}`)).statusCode).toBe(401);
      const response = await get(`/clients/${id}`, { authorization: 'Bearer right' });
      expect([response.statusCode, response.json()]).toEqual([200, { id: '\ufffd' }]);
    }
  });

  it('reach the route unchanged with a percent-encoded URL of 2,048 or more characters as identifier', async () => {
    for (const length of [2048, 4000]) {
      const id = `https://rp.example/${'é/'.repeat(length)}`.slice(0, length);
      const response = await get(`/clients/${encodeURIComponent(id)}`, { authorization: 'Bearer right' });
      expect(response.json()).toEqual({ id });
    }
  });

  it('keep an encoded slash within the identifier', async () => {
    const response = await get('/clients/..%2f..%2fx', { authorization: 'Bearer right' });
    expect(response.json()).toEqual({ id: '../../x' });
  });
});

describe('limits of connections', () => {
  it('close connections with slow headers, slow bodies or no activity', () => {
    const { requestTimeout, headersTimeout, keepAliveTimeout } = server.server;
    expect({ requestTimeout, headersTimeout, keepAliveTimeout }).toEqual({
      requestTimeout: 10_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 72_000,
    });
  });
});

describe('proxies', () => {
  const address = async (trustedProxies: readonly string[], remoteAddress: string, forwarded: string) => {
    const own = sampleServer(
      { '/ip': { GET: route({ handler: (request, reply) => reply.send({ ip: request.ip }) }) } },
      { trustedProxies },
    );
    const headers = {
      'x-forwarded-for': forwarded,
      forwarded: 'for=1.1.1.1',
      'x-real-ip': '1.1.1.1',
      'x-request-id': 'chosen-by-the-caller',
      'request-id': 'chosen-by-the-caller',
    };
    const response = await own.server.inject({ method: 'GET', url: '/ip', headers, remoteAddress });
    await own.server.close();
    expect(own.text()).not.toContain('chosen-by-the-caller');
    return response.json().ip;
  };

  it('are trusted only if they are listed, and only for the hop that they saw', async () => {
    expect(await address([], '10.0.0.1', '9.9.9.9')).toBe('10.0.0.1');
    expect(await address(['10.0.0.0/8'], '192.0.2.1', '9.9.9.9')).toBe('192.0.2.1');
    expect(await address(['10.0.0.0/8'], '10.0.0.1', '9.9.9.9')).toBe('9.9.9.9');
    expect(await address(['10.0.0.0/8'], '10.0.0.1', '8.8.8.8, 9.9.9.9')).toBe('9.9.9.9');
    expect(await address(['10.0.0.1', '::1'], '::1', '8.8.8.8, 10.0.0.1')).toBe('8.8.8.8');
  });
});

it('starts without a logger and without metrics', async () => {
  const bare = createServer({ logger: false });
  expect((await bare.inject({ method: 'GET', url: '/' })).statusCode).toBe(404);
  await bare.close();
});

it('generates a different request id for every request', async () => {
  await get('/clients');
  await get('/clients');
  const ids = sample.lines().map(({ requestId }) => requestId);
  expect(new Set(ids).size).toBe(ids.length);
});

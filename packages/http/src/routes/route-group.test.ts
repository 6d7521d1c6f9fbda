import { METHODS } from 'node:http';
import { DomainError, ERROR_CODES, ThrottledError } from '@vestibule/protocol';
import Type from 'typebox';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { jsonBody } from '../bodies/json-body.js';
import { presenterOf } from '../errors/error-table.js';
import type { RequestTracer } from '../observability/request-tracer.js';
import { createServer } from '../server/server.js';
import { sampleErrors, sampleServer } from '../testing/index.js';
import { route } from './route.js';
import { defineRouteGroup } from './route-group.js';

const thrower = (thrown: unknown) =>
  route({
    handler: () => {
      throw thrown;
    },
  });
const secretError = Object.assign(new Error('SENSITIVE in a message'), {
  statusCode: 418,
  headers: { 'x-leak': 'SENSITIVE' },
  body: 'SENSITIVE',
});

const sample = sampleServer({
  '/things': {
    GET: route({ handler: (_request, reply) => reply.send({ ok: true }) }),
    DELETE: route({ handler: (_request, reply) => reply.code(204).send() }),
    POST: route({ schema: { body: Type.Object({}) }, handler: (_request, reply) => reply.send({}) }),
  },
  '/query': {
    GET: route({
      schema: {
        querystring: Type.Object({
          limit: Type.Optional(Type.Integer({ minimum: 1 })),
          name: Type.Optional(Type.String({ minLength: 2, maxLength: 3 })),
        }),
      },
      handler: (request, reply) => reply.send({ limit: request.query.limit ?? null }),
    }),
  },
  '/params/:id': {
    GET: route({
      schema: { params: Type.Object({ id: Type.String({ maxLength: 5 }) }) },
      handler: (request, reply) => reply.send({ id: request.params.id }),
    }),
  },
  '/slow': {
    GET: route({
      handlerTimeoutMs: 20,
      handler: (request) =>
        new Promise((_resolve, reject) => {
          request.signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    }),
  },
  '/throws/unknown': { GET: thrower(secretError) },
  '/throws/text': { GET: thrower('SENSITIVE') },
  '/throws/undefined': { GET: thrower(undefined) },
  '/throws/throttled': { GET: thrower(new ThrottledError(7, 'x')) },
  '/throws/async': {
    GET: route({
      handler: async () => {
        throw secretError;
      },
    }),
  },
  '/header': {
    GET: route({ handler: (_request, reply) => reply.header('x-bad', 'a\nb').send('SENSITIVE') }),
  },
  ...Object.fromEntries(
    ERROR_CODES.map((code) => [
      `/fails/${code}`,
      { GET: thrower(new DomainError(code, 'A public sentence', { detail: 'a private detail' })) },
    ]),
  ),
});
const { server } = sample;
afterAll(() => server.close());

const get = (url: string) => server.inject({ method: 'GET', url });

describe('methods', () => {
  it('respond with 405, Allow and no body if the resource does not support them', async () => {
    const known = ['GET', 'DELETE', 'POST'];
    for (const method of METHODS.filter((each) => !known.includes(each) && each !== 'CONNECT')) {
      for (const headers of [
        {},
        { 'content-type': 'text/html; x' },
        { 'content-type': 'application/json' },
      ]) {
        // The types of `inject` have only a few methods; the server accepts all of them.
        const response = await server.inject({
          method: method as 'PATCH',
          url: '/things',
          headers,
          payload: '{',
        });
        expect([method, response.statusCode, response.headers['allow'], response.body]).toEqual([
          method,
          405,
          'GET, DELETE, POST',
          '',
        ]);
        expect(response.headers['cache-control']).toBe('no-store');
      }
    }
  });

  it('may all be taken by one operation, but for those that have their own', async () => {
    const own = sampleServer({
      '/any': {
        GET: route({ handler: (_request, reply) => reply.send('GET') }),
        ANY: route({ handler: ({ method }, reply) => reply.send(`any ${method}`) }),
      },
    });
    onTestFinished(() => own.server.close());
    const bodyOf = async (method: string) =>
      (await own.server.inject({ method: method as 'GET', url: '/any' })).body;
    expect(await bodyOf('GET')).toBe('GET');
    for (const method of ['POST', 'OPTIONS', 'PROPFIND']) expect(await bodyOf(method)).toBe(`any ${method}`);
    expect((await own.server.inject({ method: 'HEAD', url: '/any' })).statusCode).toBe(200);
  });

  it('are refused by the resource that the path belongs to, although another pattern covers it', async () => {
    const reply = route({ handler: (_request, reply) => reply.send() });
    const own = sampleServer({
      '/kinds/:id': { GET: reply, DELETE: reply },
      '/kinds/list': { POST: reply },
      '/*': { ANY: reply },
    });
    onTestFinished(() => own.server.close());
    const allowedAt = async (method: string, url: string) => {
      const { statusCode, headers } = await own.server.inject({ method: method as 'GET', url });
      return [method, statusCode, headers['allow']];
    };
    for (const method of ['GET', 'HEAD', 'TRACE', 'PROPFIND', 'LOCK'])
      expect(await allowedAt(method, '/kinds/list')).toEqual([method, 405, 'POST']);
    for (const method of ['POST', 'TRACE', 'PROPFIND', 'LOCK'])
      expect(await allowedAt(method, '/kinds/%zz?a=b')).toEqual([method, 405, 'GET, DELETE']);
    expect(await allowedAt('PROPFIND', '/kinds')).toEqual(['PROPFIND', 200, undefined]);
  });

  it('that Fastify does not know are counted once, and traced under their own name', async () => {
    const names: unknown[] = [];
    const tracer: RequestTracer = {
      begin: ({ name, attributes }) => {
        names.push([name, attributes['http.request.method']]);
        return undefined;
      },
      span: async (_start, operate) => operate({ setAttributes: () => {}, fail: () => {} }),
      traceparent: () => undefined,
    };
    const own = sampleServer({ '/things': { GET: thrower(secretError) } }, { tracer });
    onTestFinished(() => own.server.close());
    await own.server.inject({ method: 'PROPFIND' as 'GET', url: '/things' });
    expect(names).toEqual([['other /things', 'PROPFIND']]);
    await own.server.inject({ method: 'PROPFIND' as 'GET', url: '/nowhere' });
    const counted = (await own.metrics.registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith('http_requests_total'))
      .map((line) => line.replace(/^.*operation="([^"]*)",status="(\d+)".*} (\d+)$/, '$1 $2 $3'));
    expect(counted).toEqual(['any unknown 404 1', 'other /things 405 1']);
  });

  it('ignore a method override header', async () => {
    const headers = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' };
    const response = await server.inject({ method: 'GET', url: '/things', headers });
    expect([response.statusCode, response.json()]).toEqual([200, { ok: true }]);
  });

  it('accept an empty body where none is required, whatever its media type', async () => {
    for (const headers of [{}, { 'content-type': 'application/json' }]) {
      const response = await server.inject({ method: 'DELETE', url: '/things', headers });
      expect([response.statusCode, response.body]).toEqual([204, '']);
    }
  });
});

describe('no-store', () => {
  it('is on every response of a route group', async () => {
    const urls = ['/things', '/query?limit=0', '/slow', '/header', '/params/toolong', '/throws/unknown'];
    const responses = await Promise.all([
      ...urls.map(get),
      ...ERROR_CODES.map((code) => get(`/fails/${code}`)),
      server.inject({ method: 'DELETE', url: '/things' }),
      server.inject({ method: 'HEAD', url: '/things' }),
      server.inject({ method: 'POST', url: '/things', payload: '{', headers: { 'content-type': 'x' } }),
    ]);
    for (const { headers } of responses) {
      expect([headers['cache-control'], headers['pragma']]).toEqual(['no-store', 'no-cache']);
    }
  });
});

describe('failures', () => {
  it.each(ERROR_CODES)('present %s as in the table, without the detail', async (code) => {
    const {
      status,
      headers = {},
      body = '',
    } = presenterOf(sampleErrors, code)(new DomainError(code, 'A public sentence'));
    const response = await get(`/fails/${code}`);
    expect([response.statusCode, response.body]).toEqual([status, body]);
    for (const [name, value] of Object.entries(headers)) expect(response.headers[name]).toBe(value);
    expect(JSON.stringify([response.headers, response.body])).not.toContain('private');
  });

  it.each(['unknown', 'async', 'text', 'undefined'])(
    'are 500 without a body for anything else (%s)',
    async (kind) => {
      const response = await get(`/throws/${kind}`);
      expect([response.statusCode, response.body]).toEqual([500, '']);
      expect(JSON.stringify(response.headers)).not.toContain('SENSITIVE');
    },
  );

  it('are 500 without a body if a header cannot be written', async () => {
    const response = await get('/header');
    expect([response.statusCode, response.body]).toEqual([500, '']);
  });

  it('are 500 without a body if the handler takes too long', async () => {
    const response = await get('/slow');
    expect([response.statusCode, response.body]).toEqual([500, '']);
  });

  it('have Retry-After', async () => {
    const response = await get('/throws/throttled');
    expect([response.statusCode, response.headers['retry-after'], response.body]).toEqual([429, '7', '']);
  });
});

describe('query and path', () => {
  it('converts a query by its schema', async () => {
    expect((await get('/query?limit=10')).json()).toEqual({ limit: 10 });
    expect((await get('/query?other=%zz1')).statusCode).toBe(400);
  });

  it('refuses a query that repeats a parameter, is malformed, or does not match the schema', async () => {
    for (const query of [
      'limit=1&limit=1',
      'limit=%zz',
      'limit=1%00',
      'limit=0',
      'limit=x',
      'limit=1&x=1&x=2',
    ]) {
      const response = await get(`/query?${query}`);
      expect([query, response.statusCode, response.json().error]).toEqual([query, 400, 'invalid_request']);
    }
  });

  it('names the parameter and the permitted length of a text that is too short or too long', async () => {
    const description = async (query: string) => (await get(`/query?${query}`)).json().error_description;
    expect(await description('name=a')).toBe('name: must have at least 2 characters');
    expect(await description('name=abcd')).toBe('name: must have at most 3 characters');
    expect(await description('limit=0')).toBe('limit: is invalid in the query');
  });

  it('responds with 404 to a path that does not match the schema', async () => {
    expect((await get('/params/abc')).json()).toEqual({ id: 'abc' });
    const response = await get('/params/abcdef');
    expect([response.statusCode, response.body]).toEqual([404, '']);
  });
});

describe('several route groups in one server', () => {
  it('have separate parsers', async () => {
    const inject = (url: string, type: string, payload: string) =>
      server.inject({ method: 'POST', url, headers: { 'content-type': type }, payload });
    expect((await inject('/json', 'application/x-www-form-urlencoded', 'token=a')).statusCode).toBe(400);
    expect((await inject('/form', 'application/json', '{"token":"a"}')).statusCode).toBe(400);
    expect((await inject('/form', 'application/jose', 'a.b.c')).statusCode).toBe(400);
  });

  it('are named in messages of Fastify', async () => {
    const names: string[] = [];
    const named = createServer({ logger: false });
    onTestFinished(() => named.close());
    named.addHook('onRegister', ({ pluginName }) => void names.push(pluginName));
    named.register(
      defineRouteGroup({ name: 'items', body: jsonBody(), errors: sampleErrors, routes: () => undefined }),
    );
    await named.ready();
    expect(names).toEqual(['items']);
  });
});

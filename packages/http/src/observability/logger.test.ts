import { DomainError } from '@vestibule/protocol';
import type { Logger as PinoLogger } from 'pino';
import Type from 'typebox';
import { afterAll, describe, expect, it } from 'vitest';
import { route } from '../routes/route.js';
import { memoryLog, sampleServer } from '../testing/index.js';
import type { Logger } from './logger.js';

const CANARY = 'canary-7f3a';

/** A logger for untyped calls. */
const careless = (logger: Logger) => logger as unknown as PinoLogger;

describe('createLogger', () => {
  it('writes only listed members, and only simple values of them', () => {
    const { logger, lines } = memoryLog();
    careless(logger).info(
      { port: 1, token: CANARY, body: { a: CANARY }, detail: { nested: CANARY }, reason: [CANARY] },
      'listening',
    );
    expect(lines()).toEqual([
      { level: 'info', time: expect.any(String), service: 'test', port: 1, msg: 'listening' },
    ]);
  });

  it('writes only listed members of child loggers', () => {
    const { logger, lines } = memoryLog();
    careless(logger).child({ port: 1, token: CANARY }).child({ body: CANARY }).info('listening');
    expect(lines()).toEqual([
      { level: 'info', time: expect.any(String), service: 'test', port: 1, msg: 'listening' },
    ]);
  });

  it('does not compile with an entry whose member or value would be dropped', () => {
    const { logger, lines } = memoryLog();
    const hasMore = { port: 1, purpose: 'x' };
    // @ts-expect-error -- not a member of a log line
    logger.info({ port: 1, purpose: 'x' }, 'written out');
    // @ts-expect-error -- not a member of a log line
    logger.info(hasMore, 'made before');
    // @ts-expect-error -- not a member of a log line
    logger.info({ ...hasMore, count: 1 }, 'spread');
    // @ts-expect-error -- not a member of a log line
    logger.child({ purpose: 'x' }).info('of a child');
    // @ts-expect-error -- not a member of a log line
    logger.child(hasMore).info('of a child, made before');
    // @ts-expect-error -- not a member of a log line
    logger.info(hasMore as { port: number } | typeof hasMore, 'one of two');
    // @ts-expect-error -- not a value of a log line
    logger.info({ reason: ['x'] }, 'with a list');
    expect(lines().map((line) => line['msg'])).toEqual([
      'written out',
      'made before',
      'spread',
      'of a child',
      'of a child, made before',
      'one of two',
      'with a list',
    ]);
  });

  it('logs the refused entity of a federation and the reason', () => {
    const { logger, lines } = memoryLog();
    const refusal = {
      entity: 'https://rp.example',
      reason: 'signature',
      detail: 'signature does not verify',
    };
    logger.info(refusal, 'refused');
    expect(lines()[0]).toMatchObject(refusal);
  });

  it('logs a head of the audit chain', () => {
    const { logger, lines } = memoryLog();
    const end = { auditPosition: '7', auditHash: 'a'.repeat(64) };
    logger.info(end, 'chained');
    expect(lines()[0]).toMatchObject(end);
  });

  it('never uses the message of an error as its own', () => {
    const log = memoryLog();
    const logger = careless(log.logger);
    const error = new Error(CANARY);
    logger.error(error);
    logger.error({ error });
    logger.error({ err: error, error: { message: CANARY } });
    logger.error({ error }, 'words');
    logger.error(error, 'words');
    logger.child({}).error({ error });
    expect(log.text()).not.toContain(CANARY);
    expect(log.text()).toContain('logger.test');
  });

  it('truncates long values', () => {
    const { logger, lines } = memoryLog();
    logger.info({ detail: 'a'.repeat(10_000) }, 'x');
    expect(String(lines()[0]?.['detail']).length).toBe(500);
  });
});

describe('the log line of a request', () => {
  const sample = sampleServer({
    '/things/:id': {
      POST: route({
        schema: { body: Type.Object({}), querystring: Type.Object({}) },
        handler: (request, reply) => {
          const { 'x-do': what } = request.headers;
          if (what === 'deny')
            throw new DomainError('access_denied', 'No', { detail: 'the grant is missing' });
          if (what === 'fail') throw new Error(CANARY, { cause: new SyntaxError(CANARY) });
          reply.send({});
        },
      }),
    },
  });
  afterAll(() => sample.server.close());

  const post = async (headers: Record<string, string>, url = `/things/${CANARY}?q=${CANARY}`) => {
    const before = sample.lines().length;
    await sample.server.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${CANARY}`, ...headers },
      payload: JSON.stringify({ secret: CANARY }),
    });
    return sample.lines().slice(before);
  };
  const LINE = {
    time: expect.any(String),
    service: 'test',
    requestId: expect.stringMatching(/^[0-9a-f]{12}-[0-9a-z]+$/),
    routeGroup: 'json',
    method: 'POST',
    route: '/things/:id',
    durationMs: expect.any(Number),
    msg: 'request',
  };

  it('contains the operation and the outcome', async () => {
    expect(await post({})).toEqual([{ ...LINE, level: 'info', status: 200 }]);
  });

  it('contains the code and the private detail of a refusal', async () => {
    const refusal = { level: 'info', status: 403, code: 'access_denied', detail: 'the grant is missing' };
    expect(await post({ 'x-do': 'deny' })).toEqual([{ ...LINE, ...refusal }]);
  });

  it('contains the stack of an internal error, at level error', async () => {
    const [line, ...others] = await post({ 'x-do': 'fail' });
    expect(others).toEqual([]);
    expect(line).toMatchObject({ ...LINE, level: 'error', status: 500, code: 'server_error' });
    expect(line?.['error']).toMatchObject({ type: 'Error', cause: { type: 'SyntaxError' } });
    expect(JSON.stringify(line?.['error'])).toContain('logger.test');
  });

  it('is written for requests that never reach a handler, and for unknown resources', async () => {
    expect(await post({ 'content-type': 'x' })).toMatchObject([{ status: 400, code: 'invalid_request' }]);
    expect(await post({}, `/${CANARY}`)).toMatchObject([{ status: 404, route: 'unknown' }]);
    expect(await post({}, '/json?a=%zz')).toMatchObject([{ status: 200 }]);
  });

  it('never contains a URL, a query, a header or a body', async () => {
    await post({ 'x-do': 'fail' });
    expect(sample.text()).not.toContain(CANARY);
  });
});

import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { json, type Respond, startProgrammedServer } from '../testing/authorization-server.js';
import {
  active,
  aResourceServer,
  bearer,
  CREDENTIALS,
  summary,
  TOKEN,
} from '../testing/resource-server-fixture.js';

const text =
  (body: string | Uint8Array, type = 'application/json', headers = {}): Respond =>
  (_request, response) =>
    void response.writeHead(200, { 'Content-Type': type, ...headers }).end(body);

async function refusal(respond: Respond, timeoutMs = 20_000) {
  const authorizationServer = await startProgrammedServer(respond);
  const { server, problems } = aResourceServer(authorizationServer.url, { connection: { timeoutMs } });
  const verification = await server.verify(bearer());
  return { verification, problems, authorizationServer };
}

describe('when it cannot be determined whether a token is active', () => {
  it.each<[string, Respond, string, number]>([
    ['401', json({ error: 'invalid_client' }, 401), 'credentials_refused', 1],
    ['403', json({ error: 'access_denied' }, 403), 'not_permitted', 1],
    ['404', json({}, 404), 'status', 1],
    [
      'a redirect',
      (_request, response) => void response.writeHead(307, { Location: '/' }).end(),
      'status',
      1,
    ],
    ['500', json({}, 500), 'status', 2],
    ['a broken connection', (_request, response) => void response.destroy(), 'connection', 2],
    ['half a response', half, 'connection', 2],
    ['text that is not JSON', text('active'), 'malformed_response', 1],
    ['JSON with a repeated member', text('{"active":false,"active":true}'), 'malformed_response', 1],
    ['a list', text('[]'), 'malformed_response', 1],
    ['another content type', text('{"active":true}', 'text/html'), 'malformed_response', 1],
    ['no UTF-8', text(Buffer.from([0x22, 0xff, 0x22])), 'malformed_response', 1],
    [
      'a compressed response',
      text('x', 'application/json', { 'Content-Encoding': 'gzip' }),
      'malformed_response',
      1,
    ],
    [
      'more than 131,072 bytes',
      text(`{"active":true,"a":"${'a'.repeat(131_072)}"}`),
      'malformed_response',
      1,
    ],
    ['active as a string', text('{"active":"true"}'), 'malformed_response', 1],
    ['no active', text('{}'), 'malformed_response', 1],
    ['exp as a string', json(active({ exp: '1800000000' })), 'malformed_response', 1],
    ['aud as an object', json(active({ aud: {} })), 'malformed_response', 1],
    ['scope as a list', json(active({ scope: ['orders:read'] })), 'malformed_response', 1],
    ['cnf as a string', json(active({ cnf: 'x' })), 'malformed_response', 1],
    ['a JWT in place of JSON', text('a.b.c', 'application/token-introspection+jwt'), 'malformed_response', 1],
  ])('refuses with 503 and a problem for the operator: %s', async (_what, respond, reason, attempts) => {
    const { verification, problems, authorizationServer } = await refusal(respond);
    expect(verification).toMatchObject({
      status: 503,
      reason: 'unavailable',
      headers: { 'Retry-After': '1' },
      body: '{"error":"temporarily_unavailable","error_description":"Try again later"}',
    });
    expect(verification).not.toHaveProperty('headers.WWW-Authenticate');
    expect(problems.map((problem) => problem.reason)).toEqual([reason]);
    expect(JSON.stringify(problems)).not.toContain(TOKEN);
    expect(JSON.stringify(problems)).not.toContain(CREDENTIALS.clientSecret);
    expect(authorizationServer.requests.length).toBe(attempts);
  });

  it('refuses with 503 when there is no response in time, after two attempts', async () => {
    const { verification, problems, authorizationServer } = await refusal(() => undefined, 300);
    expect(summary(verification)).toBe('503 unavailable');
    expect(problems.map(({ reason }) => reason)).toEqual(['timeout']);
    expect(authorizationServer.requests.length).toBe(2);
  });

  it('refuses with 503 when the response never ends', async () => {
    const { verification, problems } = await refusal((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"active":');
    }, 300);
    expect(summary(verification)).toBe('503 unavailable');
    expect(problems.map(({ reason }) => reason)).toEqual(['timeout']);
  });

  it('passes on Retry-After of the introspection endpoint', async () => {
    const { verification, problems } = await refusal(json({}, 429, { 'Retry-After': '17' }));
    expect(verification).toMatchObject({ status: 503, headers: { 'Retry-After': '17' } });
    expect(problems.map(({ reason }) => reason)).toEqual(['rate_limited']);
  });

  it('refuses with 503 when no server listens', async () => {
    const authorizationServer = await startProgrammedServer(json({}));
    await authorizationServer.stop();
    const { server } = aResourceServer(authorizationServer.url);
    expect(summary(await server.verify(bearer()))).toBe('503 unavailable');
  });

  it('refuses with 503 after close', async () => {
    const authorizationServer = await startProgrammedServer(json(active()));
    const { server } = aResourceServer(authorizationServer.url);
    server.close();
    expect(summary(await server.verify(bearer()))).toBe('503 unavailable');
  });
});

describe('requests to the introspection endpoint', () => {
  it('are repeated once on a new connection after a 5xx', async () => {
    const responses = [json({}, 500), json(active())];
    const authorizationServer = await startProgrammedServer((request, response) =>
      responses.shift()?.(request, response),
    );
    const { server } = aResourceServer(authorizationServer.url);
    expect(summary(await server.verify(bearer()))).toBe('accepted');
    expect(authorizationServer.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  it('use one connection one after the other', async () => {
    const authorizationServer = await startProgrammedServer(json(active()));
    const { server } = aResourceServer(authorizationServer.url);
    for (let index = 0; index < 5; index += 1) await server.verify(bearer());
    expect([authorizationServer.requests.length, authorizationServer.connections()]).toEqual([5, 1]);
  });

  it('are one for parallel requests with one token, and one each for later ones', async () => {
    const waiting: ServerResponse[] = [];
    const authorizationServer = await startProgrammedServer(
      (_request, response) => void waiting.push(response),
    );
    const { server, monotonic } = aResourceServer(authorizationServer.url);
    const first = [server.verify(bearer()), server.verify(bearer()), server.verify(bearer('another'))];
    await expect.poll(() => waiting.length).toBe(2);
    monotonic.nowMs += 249;
    first.push(server.verify(bearer()));
    monotonic.nowMs += 1;
    first.push(server.verify(bearer()));
    await expect.poll(() => waiting.length).toBe(3);
    for (const response of waiting)
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(active()));
    expect((await Promise.all(first)).map(summary)).toEqual(Array(5).fill('accepted'));
    expect(authorizationServer.requests.map(({ form }) => form.get('token'))).toEqual([
      TOKEN,
      'another',
      TOKEN,
    ]);
  });
});

function half(_request: unknown, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
  response.write('{"active":true', () => response.destroy());
}

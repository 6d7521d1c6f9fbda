import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { freePort } from '@vestibule/local-services';
import { type ServerCertificate, selfSignedCertificate } from '@vestibule/local-services/testing';
import { frozenClock } from '@vestibule/protocol/testing';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Dial, dialTcp } from './connection.js';
import { createEgress, createEgressOver, type EgressOptions } from './egress.js';
import { type RawResponse, type RawServer, respondHttp, startRawServer } from './testing/raw-server.js';

const running: RawServer[] = [];
const JSON_TYPE = 'content-type: application/json';

async function serve(respond?: RawResponse, tls?: ServerCertificate) {
  const server = await startRawServer(respond, tls);
  running.push(server);
  return server;
}

function egressTo(server: RawServer, options: EgressOptions = {}) {
  return createEgress({ allowHosts: [`127.0.0.1:${server.port}`, `localhost:${server.port}`], ...options });
}

const wanted = { accept: 'application/json', mediaTypes: ['application/json'], maxBytes: 1024 };

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

describe('fetchDocument', () => {
  it('fetches a document and sends only the name of the software', async () => {
    const server = await serve((socket) =>
      respondHttp(socket, '200 OK', ['Content-Type: Application/JSON; charset=utf-8'], '{"é":1}'),
    );
    const url = `http://127.0.0.1:${server.port}/keys?x=1`;
    expect(await egressTo(server).fetchDocument({ ...wanted, url })).toEqual({
      outcome: 'ok',
      status: 200,
      mediaType: 'application/json',
      text: '{"é":1}',
    });
    const [requestLine, ...headers] = (server.heads[0] ?? '').trim().split('\r\n');
    expect(requestLine).toBe('GET /keys?x=1 HTTP/1.1');
    expect(headers.sort()).toEqual([
      'accept-encoding: identity',
      'accept: application/json',
      'connection: close',
      `host: 127.0.0.1:${server.port}`,
      'user-agent: vestibule',
    ]);
  });

  it('sends form parameters with POST, in the form encoding', async () => {
    const seen: unknown[] = [];
    const server = createHttpServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      seen.push([request.method, request.url, request.headers['content-type'], body]);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/status`;
    const form = { trust_mark: 'a.b-c_d', note: 'two words & more' };
    const egress = createEgress({ allowHosts: [`127.0.0.1:${port}`] });
    expect(await egress.fetchDocument({ ...wanted, url, form })).toMatchObject({ text: '{}' });
    const body = 'trust_mark=a.b-c_d&note=two+words+%26+more';
    expect(seen).toEqual([['POST', '/status', 'application/x-www-form-urlencoded', body]]);
  });

  it('sends the Authorization header of a request, with GET and with a form, and none otherwise', async () => {
    const seen: unknown[] = [];
    const server = createHttpServer((request, response) => {
      seen.push([request.method, request.headers.authorization]);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const request = { ...wanted, url: `http://127.0.0.1:${port}/userinfo` };
    const egress = createEgress({ allowHosts: [`127.0.0.1:${port}`] });
    const authorization = 'Bearer abc';
    await egress.fetchDocument({ ...request, authorization });
    await egress.fetchDocument({ ...request, authorization, form: { code: 'x' } });
    await egress.fetchDocument(request);
    expect(seen).toEqual([
      ['GET', authorization],
      ['POST', authorization],
      ['GET', undefined],
    ]);
  });

  it('accepts a document of exactly the largest size, with or without Content-Length', async () => {
    const body = 'x'.repeat(1024);
    const responses: readonly RawResponse[] = [
      (socket) => respondHttp(socket, '200 OK', [JSON_TYPE], body),
      (socket) => socket.end(`HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\n\r\n${body}`),
    ];
    for (const respond of responses) {
      const server = await serve(respond);
      const url = `http://127.0.0.1:${server.port}/`;
      expect(await egressTo(server).fetchDocument({ ...wanted, url })).toMatchObject({ text: body });
    }
  });

  it('uses each connection once', async () => {
    const server = await serve((socket) =>
      respondHttp(socket, '200 OK', [JSON_TYPE, 'connection: keep-alive'], '{}'),
    );
    const egress = egressTo(server);
    const url = `http://localhost:${server.port}/`;
    for (let round = 0; round < 3; round += 1) {
      expect(await egress.fetchDocument({ ...wanted, url })).toMatchObject({ outcome: 'ok' });
    }
    expect(server.connections()).toBe(3);
  });

  it('fetches over TLS from a name or an address in the certificate', async () => {
    const certificate = selfSignedCertificate(['localhost', '127.0.0.1']);
    const server = await serve((socket) => respondHttp(socket, '200 OK', [JSON_TYPE], '{}'), certificate);
    const egress = egressTo(server, { trustedCertificates: [certificate.cert] });
    for (const host of ['localhost', '127.0.0.1']) {
      const outcome = await egress.fetchDocument({ ...wanted, url: `https://${host}:${server.port}/` });
      expect([host, outcome.outcome]).toEqual([host, 'ok']);
    }
  });

  it('refuses a certificate that is not trusted, or is for another name, before it sends the request', async () => {
    const certificate = selfSignedCertificate(['rp.example']);
    const server = await serve((socket) => respondHttp(socket, '200 OK', [JSON_TYPE], '{}'), certificate);
    const url = `https://localhost:${server.port}/`;
    expect(await egressTo(server).fetchDocument({ ...wanted, url })).toMatchObject({
      reason: 'tls',
      detail: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    const trusting = egressTo(server, { trustedCertificates: [certificate.cert] });
    expect(await trusting.fetchDocument({ ...wanted, url })).toMatchObject({
      reason: 'tls',
      detail: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect(server.heads).toEqual([]);
  });

  it('reports every failure by its reason', async () => {
    const cases: readonly (readonly [RawResponse, Record<string, unknown>])[] = [
      [
        (socket) => respondHttp(socket, '404 Not Found', [JSON_TYPE], '{}'),
        { reason: 'status', status: 404 },
      ],
      [(socket) => respondHttp(socket, '204 No Content', []), { reason: 'status', status: 204 }],
      [(socket) => respondHttp(socket, '304 Not Modified', []), { reason: 'redirect', status: 304 }],
      [
        (socket) => respondHttp(socket, '200 OK', ['content-type: text/html'], '<p>'),
        { reason: 'media_type' },
      ],
      [(socket) => respondHttp(socket, '200 OK', [], '{}'), { reason: 'media_type' }],
      [(socket) => respondHttp(socket, '200 OK', [JSON_TYPE, JSON_TYPE], '{}'), { reason: 'media_type' }],
      [(socket) => respondHttp(socket, '200 OK', [JSON_TYPE], 'x'.repeat(1025)), { reason: 'too_large' }],
      [
        (socket) => socket.end(`HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\n\r\n${'x'.repeat(1025)}`),
        { reason: 'too_large' },
      ],
      [
        (socket) => socket.end(Buffer.from(`HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\n\r\n\xff`, 'latin1')),
        { detail: 'utf8' },
      ],
      [(socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), { reason: 'protocol' }],
      [(socket) => socket.end(), { reason: 'protocol', detail: 'UND_ERR_SOCKET' }],
      [(socket) => socket.resetAndDestroy(), { reason: 'protocol' }],
      [
        (socket) => socket.end(`HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\ncontent-length: 9\r\n\r\n{}`),
        { reason: 'protocol' },
      ],
      [
        (socket) =>
          socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
        { reason: 'protocol' },
      ],
    ];
    for (const [respond, failure] of cases) {
      const server = await serve(respond);
      const url = `http://127.0.0.1:${server.port}/`;
      const outcome = await egressTo(server).fetchDocument({ ...wanted, url });
      expect(outcome).toMatchObject({ outcome: 'failed', ...failure });
      expect(JSON.stringify(outcome)).not.toContain('OpenSSH');
    }
  });

  it('reports refused when nothing listens', async () => {
    const place = `127.0.0.1:${await freePort()}`;
    const egress = createEgress({ allowHosts: [place] });
    expect(await egress.fetchDocument({ ...wanted, url: `http://${place}/` })).toMatchObject({
      reason: 'refused',
      detail: 'ECONNREFUSED',
    });
  });

  it('tries the next address when one refuses or does not respond', async () => {
    const server = await serve((socket) => respondHttp(socket, '200 OK', [JSON_TYPE], '{}'));
    const closed = await freePort();
    const dial: Dial = (address, port, signal) => {
      if (address === '127.0.0.1') return dialTcp(address, port, signal);
      return address === '127.0.0.2' ? dialTcp('127.0.0.1', closed, signal) : new Socket({ signal });
    };
    const egress = createEgressOver(dial, {
      allowHosts: ['rp.example'],
      lookup: async () => ['127.0.0.2', '127.0.0.3', '127.0.0.1'],
    });
    const url = `http://rp.example:${server.port}/`;
    expect(await egress.fetchDocument({ ...wanted, url })).toMatchObject({ outcome: 'ok' });
  });

  it('aborts with the signal of the caller, before or during the request', async () => {
    const server = await serve();
    const egress = egressTo(server);
    const url = `http://127.0.0.1:${server.port}/`;
    const gone = AbortSignal.abort();
    expect(await egress.fetchDocument({ ...wanted, url, signal: gone })).toMatchObject({ reason: 'aborted' });
    expect(server.bytesReceived()).toBe(0);
    const later = new AbortController();
    const hanging = await serve(() => later.abort());
    const request = { ...wanted, url: `http://127.0.0.1:${hanging.port}/`, signal: later.signal };
    expect(await egressTo(hanging).fetchDocument(request)).toMatchObject({ reason: 'aborted' });
  });

  it('passes host class, outcome and duration to the observer', async () => {
    const server = await serve((socket) => respondHttp(socket, '200 OK', [JSON_TYPE], '{}'));
    const seen: unknown[] = [];
    const egress = egressTo(server, {
      onOutcome: (hostClass, outcome, ms) => seen.push([hostClass, outcome, ms >= 0 && ms < 2500]),
    });
    await egress.fetchDocument({ ...wanted, url: `http://127.0.0.1:${server.port}/` });
    await egress.fetchDocument({ ...wanted, url: 'https://10.0.0.1/' });
    expect(seen).toEqual([
      ['listed', 'ok', true],
      ['public', 'blocked', true],
    ]);
  });
});

describe('post', () => {
  const message = { contentType: 'application/x-www-form-urlencoded', body: 'logout_token=a.b.c' };

  it('delivers the body and accepts any 2xx status, whatever content follows', async () => {
    for (const status of [200, 202, 204]) {
      const server = await serve((socket) =>
        socket.write(`HTTP/1.1 ${status} Fine\r\nx: y\r\n\r\nnever ends`),
      );
      const url = `http://127.0.0.1:${server.port}/logout`;
      expect(await egressTo(server).post({ ...message, url })).toEqual({ outcome: 'ok', status });
      expect(server.heads[0]).toMatch(/^POST \/logout HTTP\/1.1\r\n/);
      expect(server.heads[0]).toMatch(/content-type: application\/x-www-form-urlencoded\r\n/);
      expect(server.heads[0]).toMatch(/content-length: 18\r\n/);
    }
  });

  it('reports the wait from Retry-After', async () => {
    const server = await serve((socket) =>
      respondHttp(socket, '503 Busy', ['retry-after: Mon, 01 Jun 2026 12:00:30 GMT']),
    );
    const url = `http://127.0.0.1:${server.port}/`;
    expect(await egressTo(server, { clock: frozenClock() }).post({ ...message, url })).toEqual({
      outcome: 'failed',
      reason: 'status',
      status: 503,
      retryAfterSeconds: 30,
      detail: undefined,
    });
  });

  it('says what it accepts, and why it was refused if the caller can read that', async () => {
    const post = async (content: string, status = '400 Bad Request') => {
      const server = await serve((socket) => respondHttp(socket, status, [JSON_TYPE], content));
      const readRefusal = (text: string) =>
        JSON.parse(text).err === 'invalid_key' ? 'invalid_key' : undefined;
      const url = `http://127.0.0.1:${server.port}/`;
      const outcome = await egressTo(server).post({
        ...message,
        accept: 'application/json',
        readRefusal,
        url,
      });
      expect(server.heads[0]).toMatch(/\r\naccept: application\/json\r\n/);
      return outcome;
    };
    const refused = { outcome: 'failed', reason: 'status', status: 400 };
    const refusal = '{"err":"invalid_key"}';
    expect(await post(refusal)).toMatchObject({ ...refused, detail: 'invalid_key' });
    expect(await post(refusal.padEnd(4_096))).toMatchObject({ ...refused, detail: 'invalid_key' });
    for (const unread of ['{"err":"other"}', '<p>', '', refusal.padEnd(4_097)])
      expect(await post(unread)).toMatchObject({ ...refused, detail: undefined });
    expect(await post(refusal, '403 Forbidden')).toMatchObject({ status: 403, detail: undefined });
  });

  it('does not wait longer than its deadline for a refusal', async () => {
    const server = await serve((socket) => socket.write(`HTTP/1.1 400 No\r\n${JSON_TYPE}\r\n\r\n{`));
    const url = `http://127.0.0.1:${server.port}/`;
    const call = { ...message, url, deadlineMs: 100, readRefusal: () => 'read' };
    expect(await egressTo(server).post(call)).toMatchObject({ outcome: 'failed', reason: 'timeout' });
  });

  it('does not follow redirects with the message', async () => {
    const sink = await serve();
    const server = await serve((socket) =>
      respondHttp(socket, '307 Elsewhere', [`location: http://127.0.0.1:${sink.port}/`]),
    );
    const egress = egressTo(server, { allowHosts: ['127.0.0.1'] });
    const url = `http://127.0.0.1:${server.port}/`;
    expect(await egress.post({ ...message, url })).toMatchObject({ reason: 'redirect', status: 307 });
    expect(sink.bytesReceived()).toBe(0);
  });

  it('opens at most four connections to an origin while 80 messages wait for it', async () => {
    const server = await serve();
    const sockets: Socket[] = [];
    let most = 0;
    const dial: Dial = (...place) => {
      const socket = dialTcp(...place);
      sockets.push(socket);
      most = Math.max(most, sockets.filter(({ destroyed }) => !destroyed).length);
      return socket;
    };
    const egress = createEgressOver(dial, { allowHosts: [`127.0.0.1:${server.port}`], deadlineMs: 400 });
    const url = `http://127.0.0.1:${server.port}/`;
    const outcomes = await Promise.all(Array.from({ length: 80 }, () => egress.post({ ...message, url })));
    expect(most).toBe(4);
    // Four run and 64 wait; the rest are overloaded.
    const reasons = outcomes.map((outcome) => (outcome.outcome === 'failed' ? outcome.reason : 'ok'));
    expect(reasons.slice(0, 4)).toEqual(Array(4).fill('timeout'));
    expect(reasons.slice(68)).toEqual(Array(12).fill('overloaded'));
    expect(reasons).not.toContain('ok');
  });

  it('sends to a responding port of a host at once while 64 messages wait for its dead ports', async () => {
    const lawful = await serve((socket) => respondHttp(socket, '200 OK', []));
    const dead = await Promise.all(Array.from({ length: 8 }, () => serve()));
    const egress = egressTo(lawful, { allowHosts: ['127.0.0.1'], deadlineMs: 60_000 });
    const post = (port: number) => egress.post({ ...message, url: `http://127.0.0.1:${port}/` });
    expect(await post(lawful.port)).toMatchObject({ outcome: 'ok' });
    let ended = 0;
    const hanging = dead.flatMap(({ port }) =>
      Array.from({ length: 8 }, () =>
        post(port).finally(() => {
          ended += 1;
        }),
      ),
    );
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => post(lawful.port)));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(20).fill('ok'));
    expect(ended).toBe(0);
    await Promise.all(dead.map(({ close }) => close()));
    await Promise.all(hanging);
  });
});

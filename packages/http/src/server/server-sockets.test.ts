import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawExchange, sampleServer } from '../testing/index.js';

const { server, seen } = sampleServer();
let port = 0;

beforeAll(async () => {
  await server.listen({ host: '127.0.0.1', port: 0 });
  const address = server.server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => server.close());

const FOLLOW_UP = 'GET /follow-up HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const head = (...lines: string[]) => `${['POST /form HTTP/1.1', ...lines].join('\r\n')}\r\n\r\n`;
const FORM = 'Content-Type: application/x-www-form-urlencoded';

describe('an ambiguous request', () => {
  const smuggled: readonly (readonly [string, string])[] = [
    ['two lengths', `${head('Host: a', FORM, 'Content-Length: 7', 'Content-Length: 6')}token=x`],
    [
      'a length and chunks',
      `${head('Host: a', FORM, 'Content-Length: 7', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    ],
    ['chunks in an odd spelling', `${head('Host: a', FORM, 'Transfer-Encoding: xchunked')}0\r\n\r\n`],
    ['chunks with a tab', `${head('Host: a', FORM, 'Transfer-Encoding:\tchunked, identity')}0\r\n\r\n`],
    ['a space before the colon', `${head('Host: a', FORM, 'Content-Length : 7')}token=x`],
    ['a folded header', `${head('Host: a', FORM, 'X-A: b\r\n c: d')}`],
    ['bare line feeds', `POST /form HTTP/1.1\nHost: a\n${FORM}\nContent-Length: 7\n\ntoken=x`],
    ['a negative length', `${head('Host: a', FORM, 'Content-Length: -1')}token=x`],
    ['a length with a plus', `${head('Host: a', FORM, 'Content-Length: +7')}token=x`],
    ['a bad chunk size', `${head('Host: a', FORM, 'Transfer-Encoding: chunked')}zz\r\ntoken=x\r\n0\r\n\r\n`],
    [
      'a chunk extension of 1 MB',
      `${head('Host: a', FORM, 'Transfer-Encoding: chunked')}7;${'a'.repeat(1_000_000)}`,
    ],
    ['one length that is two', `${head('Host: a', FORM, 'Content-Length: 7, 7')}token=x`],
    ['a length in another base', `${head('Host: a', FORM, 'Content-Length: 0x7')}token=x`],
    [
      'chunks and a length',
      `${head('Host: a', FORM, 'Transfer-Encoding: chunked', 'Content-Length: 7')}0\r\n\r\n`,
    ],
    [
      'chunks and another coding',
      `${head('Host: a', FORM, 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity')}0\r\n\r\n`,
    ],
    ['chunks before a colon', `${head('Host: a', FORM, 'Transfer-Encoding : chunked')}0\r\n\r\n`],
    ['chunks after a control', `${head('Host: a', FORM, 'Transfer-Encoding: \x0bchunked')}0\r\n\r\n`],
    ['a bare carriage return', `${head('Host: a', FORM, 'X-A: b\rContent-Length: 7')}token=x`],
    [
      'a chunk that ends with a bare line feed',
      `${head('Host: a', FORM, 'Transfer-Encoding: chunked')}7\ntoken=x\n0\n\n`,
    ],
    ['a NUL in a header', head('Host: a', FORM, 'X-A: \0')],
    ['no host', head(FORM, 'Content-Length: 7')],
    ['another protocol version', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ];

  it.each(smuggled)('is refused, and no request after it is served (%s)', async (_what, request) => {
    const before = seen.length;
    const { statuses, text } = await rawExchange(port, request + FOLLOW_UP);
    expect(statuses).toHaveLength(1);
    expect([400, 413, 431]).toContain(statuses[0]);
    expect(text.split('\r\n\r\n')[1] ?? '').not.toContain('FST');
    expect(seen.length).toBe(before);
  });

  it('is refused if its headers are too large', async () => {
    const { statuses, text } = await rawExchange(
      port,
      head('Host: a', `X-A: ${'a'.repeat(20_000)}`) + FOLLOW_UP,
    );
    expect(statuses).toEqual([431]);
    expect(text).toMatch(/\r\n\r\n$/);
  });
});

describe('a header that may occur only once', () => {
  const lines = { host: 'Host: a', authorization: 'Authorization: Bearer a', 'content-type': FORM };

  it.each(Object.entries(lines))('is refused if it is repeated (%s), in any case', async (name, line) => {
    const before = seen.length;
    for (const repeated of [line, line.toUpperCase(), `${name}: other`]) {
      const request = head(...Object.values(lines), repeated, 'Content-Length: 7');
      const { statuses, text } = await rawExchange(port, `${request}token=x${FOLLOW_UP}`);
      expect(statuses).toEqual([400]);
      expect(text).toMatch(/^connection: close\r$/im);
      expect(text).toContain('"error":"invalid_request"');
      for (const line of ['GET /unknown HTTP/1.1', 'GET http://[bad/x HTTP/1.1', 'DELETE /form HTTP/1.1']) {
        const unknown = `${line}\r\n${[...Object.values(lines), repeated].join('\r\n')}\r\n\r\n`;
        const response = await rawExchange(port, unknown + FOLLOW_UP);
        expect([line, response.statuses]).toEqual([line, [400]]);
        expect(response.text).toMatch(/^connection: close\r$/im);
      }
    }
    expect(seen.length).toBe(before);
  });

  it('is accepted once, and other headers may be repeated', async () => {
    const request = head(
      ...Object.values(lines),
      'Accept: a',
      'Accept: b',
      'Content-Length: 7',
      'Connection: close',
    );
    expect((await rawExchange(port, `${request}token=x`)).statuses).toEqual([200]);
  });
});

it('keeps the connection open for a second request', async () => {
  const request = `${head('Host: a', FORM, 'Content-Length: 7')}token=x`;
  expect((await rawExchange(port, request + request + FOLLOW_UP)).statuses).toEqual([200, 200, 404]);
});

it('reads a chunked body and refuses one that becomes too large', async () => {
  const chunked = head('Host: a', FORM, 'Transfer-Encoding: chunked', 'Connection: close');
  expect((await rawExchange(port, `${chunked}3\r\ntok\r\n4\r\nen=x\r\n0\r\n\r\n`)).statuses).toEqual([200]);
  const chunk = `4000\r\n${'a'.repeat(16_384)}\r\n`;
  expect((await rawExchange(port, `${chunked}${chunk.repeat(3)}0\r\n\r\n`)).statuses).toEqual([400]);
});

it('does not support CONNECT and upgrades', async () => {
  const { statuses } = await rawExchange(port, 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(statuses.includes(200)).toBe(false);
  const upgrade = 'GET /x HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade, close\r\n\r\n';
  expect((await rawExchange(port, upgrade)).statuses).toEqual([404]);
});

it('responds to a target that is not a path with an empty 404', async () => {
  const requests = ['OPTIONS * HTTP/1.1', 'GET http://[bad/x HTTP/1.1', 'GET http://a/%zz HTTP/1.1'];
  for (const line of requests) {
    const { text, statuses } = await rawExchange(port, `${line}\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect([line, statuses]).toEqual([line, [404]]);
    expect(text).toMatch(/content-length: 0\r\n/);
    expect(text).toMatch(/\r\n\r\n$/);
  }
});

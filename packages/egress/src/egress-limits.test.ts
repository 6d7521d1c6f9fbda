import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type Dial, dialTcp } from './connection.js';
import { createEgressOver, type EgressOptions } from './egress.js';
import { createDnsLookup } from './name-lookup.js';
import { startDnsServer } from './testing/dns-server.js';
import { type RawResponse, type RawServer, startRawServer } from './testing/raw-server.js';

/** For servers that would hold a request without it. */
const DEADLINE_MS = 400;
/** For the others: a machine under load may stall for longer than the short one. */
const PATIENT_MS = 20_000;
/** Tolerance for machines under load. */
const SLACK_MS = 10_000;
const MAX_BYTES = 65_536;

const closing: (() => Promise<void>)[] = [];

async function serve(response?: RawResponse): Promise<RawServer> {
  const server = await startRawServer(response);
  closing.push(server.close);
  return server;
}

/** Fetches from a hostile server, and returns the outcome, the duration and the bytes received. */
async function fetchFrom(url: string, options: EgressOptions) {
  const sockets: Socket[] = [];
  const dial: Dial = (...place) => {
    const socket = dialTcp(...place);
    sockets.push(socket);
    return socket;
  };
  const egress = createEgressOver(dial, { deadlineMs: DEADLINE_MS, ...options });
  const startedMs = performance.now();
  const outcome = await egress.fetchDocument({
    url,
    accept: 'application/json',
    mediaTypes: ['application/json'],
    maxBytes: MAX_BYTES,
  });
  return {
    outcome,
    ms: performance.now() - startedMs,
    bytes: sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    isClosed: sockets.every(({ destroyed }) => destroyed),
  };
}

/** Writes chunks for as long as the client reads them. */
function pour(socket: Socket, piece: Buffer | string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece)) {
      // Stops when the buffer of the socket is full.
    }
  };
  socket.on('drain', more);
  more();
}

function drip(socket: Socket, start: string, piece: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(piece), 20);
  socket.on('close', () => clearInterval(timer));
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const bomb = gzipSync(Buffer.alloc(20_000_000));

const hostile: Readonly<
  Record<string, readonly [response: RawResponse | undefined, reason: string, detail?: string]>
> = {
  'a body without end': [(socket) => pour(socket, `${HEAD}\r\n${' '.repeat(16_000)}`), 'too_large'],
  'a body of 10 MB that is announced': [
    (socket) => pour(socket, `${HEAD}content-length: 10000000\r\n\r\n${' '.repeat(16_000)}`),
    'too_large',
  ],
  'chunks without end': [
    (socket) => {
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
      pour(socket, `3e80\r\n${' '.repeat(16_000)}\r\n`);
    },
    'too_large',
  ],
  'a chunk extension that drips': [
    (socket) => {
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n1;`);
      drip(socket, '', 'x'.repeat(100));
    },
    'timeout',
  ],
  'a chunk extension without end': [
    (socket) => {
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n1;`);
      pour(socket, 'x'.repeat(16_000));
    },
    'too_large',
  ],
  'a gzip bomb': [
    (socket) => {
      socket.write(`${HEAD}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.end(bomb);
    },
    'encoding',
    'content_encoding',
  ],
  'chained encodings': [
    (socket) => {
      socket.write(`${HEAD}content-encoding: ${'gzip, '.repeat(500)}br\r\n\r\n`);
      socket.end(brotliCompressSync(bomb));
    },
    'encoding',
    'content_encoding',
  ],
  'an encoding that is repeated': [
    (socket) => socket.end(`${HEAD}content-encoding: identity\r\ncontent-encoding: gzip\r\n\r\n{}`),
    'encoding',
    'content_encoding',
  ],
  'a body that drips': [(socket) => drip(socket, `${HEAD}\r\n`, ' '), 'timeout'],
  'a header that drips': [(socket) => drip(socket, `${HEAD}x: `, 'x'), 'timeout'],
  'one header without end': [(socket) => pour(socket, `${HEAD}x: ${'x'.repeat(16_000)}`), 'protocol'],
  'headers without end': [
    (socket) => {
      socket.write(HEAD);
      pour(socket, 'x-a: b\r\n'.repeat(1000));
    },
    'protocol',
  ],
  'early hints without end': [
    (socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(100)),
    'too_large',
  ],
  'early hints that drip': [
    (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
    'timeout',
  ],
  'trailers without end': [
    (socket) => {
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`);
      pour(socket, 'x-a: b\r\n'.repeat(1000));
    },
    'protocol',
  ],
  silence: [undefined, 'timeout'],
  'a page instead of a document': [
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<p>Not found</p>'),
    'media_type',
  ],
};

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

describe('a hostile server', () => {
  for (const [name, [response, reason, detail]] of Object.entries(hostile)) {
    it(`cannot hold a request with ${name}`, async () => {
      const server = await serve(response);
      const allowHosts = [`127.0.0.1:${server.port}`];
      const deadlineMs = reason === 'timeout' ? DEADLINE_MS : PATIENT_MS;
      const { outcome, ms, bytes, isClosed } = await fetchFrom(`http://127.0.0.1:${server.port}/`, {
        allowHosts,
        deadlineMs,
      });
      expect(outcome).toMatchObject({
        outcome: 'failed',
        reason,
        ...(detail === undefined ? {} : { detail }),
      });
      expect(ms).toBeLessThan(DEADLINE_MS + SLACK_MS);
      // The limit, plus one read of the socket.
      expect(bytes).toBeLessThanOrEqual(MAX_BYTES * 4);
      expect(isClosed).toBe(true);
    });
  }

  it('cannot hold a request by never finishing the TLS handshake', async () => {
    const server = await serve();
    const allowHosts = [`127.0.0.1:${server.port}`];
    const { outcome, ms, isClosed } = await fetchFrom(`https://127.0.0.1:${server.port}/`, { allowHosts });
    expect(outcome).toMatchObject({ outcome: 'failed', reason: 'timeout' });
    expect(ms).toBeLessThan(DEADLINE_MS + SLACK_MS);
    expect(isClosed).toBe(true);
  });

  it('cannot break the TLS handshake unnoticed', async () => {
    const server = await serve((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const allowHosts = [`127.0.0.1:${server.port}`];
    const { outcome } = await fetchFrom(`https://127.0.0.1:${server.port}/`, {
      allowHosts,
      deadlineMs: PATIENT_MS,
    });
    expect(outcome).toMatchObject({ outcome: 'failed', reason: 'tls' });
  });
});

describe('a hostile name server', () => {
  it('cannot hold a request by never responding', async () => {
    const dns = await startDnsServer(() => undefined);
    closing.push(dns.close);
    const lookup = createDnsLookup({ servers: [dns.address] });
    const { outcome, ms } = await fetchFrom('https://rp.example/', { lookup });
    expect(outcome).toMatchObject({ outcome: 'failed', reason: 'timeout' });
    expect(ms).toBeLessThan(DEADLINE_MS + SLACK_MS);
    // On a busy machine it reads the request only after the deadline.
    await expect.poll(() => dns.requests()).toBeGreaterThan(0);
  });

  it('cannot hold a request through a lookup that never ends', async () => {
    const { outcome, ms } = await fetchFrom('https://rp.example/', {
      lookup: () => new Promise(() => undefined),
    });
    expect(outcome).toMatchObject({ outcome: 'failed', reason: 'timeout' });
    expect(ms).toBeLessThan(DEADLINE_MS + SLACK_MS);
  });

  it('fails a request when the name has no address', async () => {
    const dns = await startDnsServer(() => []);
    closing.push(dns.close);
    const lookup = createDnsLookup({ servers: [dns.address] });
    const { outcome } = await fetchFrom('https://rp.example/', { lookup, deadlineMs: PATIENT_MS });
    expect(outcome).toMatchObject({ outcome: 'failed', reason: 'unresolvable', detail: 'ENODATA' });
    const empty = await fetchFrom('https://rp.example/', { lookup: async () => [] });
    expect(empty.outcome).toMatchObject({ outcome: 'failed', reason: 'unresolvable' });
  });
});

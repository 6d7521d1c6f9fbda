import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Dial } from './connection.js';
import { createEgressOver } from './egress.js';
import { createDnsLookup } from './name-lookup.js';
import { type DnsServer, startDnsServer } from './testing/dns-server.js';
import { type RawServer, respondHttp, startRawServer } from './testing/raw-server.js';

// Anyone who can register a client chooses the addresses of these requests. If they reached the internal network, an
// attacker could read the cloud metadata service, reach unprotected services, or map the network.

/** Public addresses in the DNS zone of the tests; nothing is ever sent to them. */
const PUBLIC_IPV4 = '93.184.215.14';
const PUBLIC_IPV6 = '2606:2800:21f:cb07::1';

let sink: RawServer;
let dns: DnsServer;
let dialled: string[] = [];
let requested: string[] = [];

const zone: Readonly<Record<string, Readonly<Record<4 | 6, readonly string[]>>>> = {
  '127.0.0.1.nip.example': { 4: ['127.0.0.1'], 6: [] },
  'loopback6.example': { 4: [], 6: ['::1'] },
  'mapped.example': { 4: [], 6: ['::ffff:7f00:1'] },
  'nat64.example': { 4: [], 6: ['64:ff9b::7f00:1'] },
  'metadata.example': { 4: ['169.254.169.254'], 6: [] },
  'mixed4.example': { 4: [PUBLIC_IPV4, '127.0.0.1'], 6: [] },
  'mixed4-last.example': { 4: ['10.0.0.1', PUBLIC_IPV4], 6: [] },
  'mixed6.example': { 4: [PUBLIC_IPV4], 6: ['::1'] },
  'unspecified.example': { 4: ['0.0.0.0'], 6: ['::'] },
  'public.example': { 4: [PUBLIC_IPV4], 6: [PUBLIC_IPV6] },
};

/** A network in which connections to public addresses end at the sink on the loopback address. */
const divertingDial: Dial = (address, _port, signal) => {
  dialled.push(address);
  return connect({ host: '127.0.0.1', port: sink.port, signal });
};

beforeAll(async () => {
  sink = await startRawServer((socket) =>
    respondHttp(socket, '200 OK', ['content-type: application/json'], '{}'),
  );
  dns = await startDnsServer((name, family) => {
    requested.push(name);
    return zone[name]?.[family] ?? [];
  });
});

beforeEach(() => {
  dialled = [];
  requested = [];
});

afterAll(async () => {
  await sink.close();
  await dns.close();
});

async function fetchBlocked(url: string, allowHosts: readonly string[] = []) {
  const egress = createEgressOver(divertingDial, {
    allowHosts,
    lookup: createDnsLookup({ servers: [dns.address] }),
  });
  const document = { url, accept: '*/*', mediaTypes: ['application/json'], maxBytes: 1024 };
  const outcomes = [
    await egress.fetchDocument(document),
    await egress.post({ url, contentType: 'text/plain', body: 'x' }),
  ];
  expect(outcomes).toMatchObject([
    { outcome: 'failed', reason: 'blocked' },
    { outcome: 'failed', reason: 'blocked' },
  ]);
}

describe('addresses in client metadata', () => {
  const literals = `127.0.0.1 2130706433 0x7f.1 0177.0.0.1 127.1 0.0.0.0 0 [::ffff:127.0.0.1] [::] [::1] [::127.0.0.1]
    [64:ff9b::127.0.0.1] [2002:7f00:1::] [2001:0:7f00:1::] [fd00::1] [fe80::1] [ff02::1] 169.254.169.254 10.0.0.1
    100.64.0.1 192.0.2.1 224.0.0.1 255.255.255.255 localhost localhost. a.localhost`;

  for (const host of literals.split(/\s+/)) {
    it(`sends nothing to ${host}, with or without TLS, and does not even connect`, async () => {
      await fetchBlocked(`https://${host}:${sink.port}/`);
      await fetchBlocked(`http://${host}:${sink.port}/`);
      expect([dialled, requested]).toEqual([[], []]);
      expect(sink.bytesReceived()).toBe(0);
    });
  }

  for (const scheme of [
    'data:application/json,{}',
    'file:///etc/hostname',
    'blob:',
    'gopher://',
    'ftp://',
    'http://',
  ]) {
    it(`refuses ${scheme}`, async () => {
      await fetchBlocked(
        scheme.includes(',') || scheme.startsWith('file') ? scheme : `${scheme}public.example/`,
      );
      expect([dialled, requested]).toEqual([[], []]);
    });
  }

  for (const place of [
    'public.example:22',
    'public.example:25',
    'public.example:6379',
    'user:secret@public.example',
  ]) {
    it(`refuses ${place}`, async () => {
      await fetchBlocked(`https://${place}/`);
      expect([dialled, requested]).toEqual([[], []]);
    });
  }
});

describe('names that resolve to internal addresses', () => {
  for (const name of Object.keys(zone).filter((name) => name !== 'public.example')) {
    it(`sends nothing to ${name}, and does not even connect`, async () => {
      await fetchBlocked(`https://${name}:${sink.port}/`);
      expect(requested).toContain(name);
      expect(dialled).toEqual([]);
      expect(sink.bytesReceived()).toBe(0);
    });
  }

  it('resolves a name once, so that a second response cannot differ', async () => {
    let calls = 0;
    const lookup = async () => {
      calls += 1;
      return calls === 1 ? [PUBLIC_IPV4] : ['127.0.0.1'];
    };
    const egress = createEgressOver(divertingDial, { lookup });
    await egress.post({ url: 'https://rebind.example/', contentType: 'text/plain', body: 'x' });
    expect([calls, dialled]).toEqual([1, [PUBLIC_IPV4]]);
    expect(sink.bytesReceived()).toBe(0);
  });

  it('checks the connected socket before it writes anything, even the TLS ClientHello', async () => {
    await fetchBlocked('https://public.example/');
    expect(dialled.length).toBeGreaterThan(0);
    expect(sink.bytesReceived()).toBe(0);
  });

  it('reports a peer that disconnects before the check as refused, not as blocked', async () => {
    const dial: Dial = (_address, _port, signal) => {
      const socket = connect({ host: '127.0.0.1', port: sink.port, signal });
      // Before any other listener runs.
      socket.prependOnceListener('connect', () => socket.destroy());
      return socket;
    };
    const egress = createEgressOver(dial, { lookup: async () => [PUBLIC_IPV4] });
    const outcome = await egress.post({ url: 'https://rp.example/', contentType: 'text/plain', body: 'x' });
    expect(outcome).toMatchObject({ reason: 'refused' });
    expect(sink.bytesReceived()).toBe(0);
  });

  it('checks the address that the system connects to for the unspecified address', async () => {
    const dial: Dial = (_address, _port, signal) => connect({ host: '0.0.0.0', port: sink.port, signal });
    const egress = createEgressOver(dial, { lookup: async () => [PUBLIC_IPV4] });
    const outcome = await egress.post({ url: 'https://rp.example/', contentType: 'text/plain', body: 'x' });
    expect(outcome).toMatchObject({ reason: 'blocked', detail: 'remote_address' });
    expect(sink.bytesReceived()).toBe(0);
  });
});

describe('redirects to internal addresses', () => {
  for (const status of [301, 302, 303, 307, 308]) {
    it(`are not followed (${status})`, async () => {
      const locations = [
        `http://127.0.0.1:${sink.port}/`,
        `https://localhost:${sink.port}/`,
        'file:///etc/hostname',
      ];
      for (const location of locations) {
        const server = await startRawServer((socket) =>
          respondHttp(socket, `${status} Moved`, [`location: ${location}`]),
        );
        const dial: Dial = (host, port, signal) => connect({ host, port, signal });
        // Even to an allowed host.
        const egress = createEgressOver(dial, {
          allowHosts: [`127.0.0.1:${server.port}`, `127.0.0.1:${sink.port}`],
        });
        const url = `http://127.0.0.1:${server.port}/`;
        const outcome = await egress.fetchDocument({
          url,
          accept: '*/*',
          mediaTypes: ['application/json'],
          maxBytes: 9,
        });
        expect(outcome).toMatchObject({ outcome: 'failed', reason: 'redirect', status });
        await server.close();
      }
      expect(sink.bytesReceived()).toBe(0);
    });
  }
});

describe('the sink itself', () => {
  it('is reached when it is listed, so that the tests above could have failed', async () => {
    const dial: Dial = (host, port, signal) => connect({ host, port, signal });
    const egress = createEgressOver(dial, { allowHosts: [`127.0.0.1:${sink.port}`] });
    const url = `http://127.0.0.1:${sink.port}/`;
    const outcome = await egress.fetchDocument({
      url,
      accept: '*/*',
      mediaTypes: ['application/json'],
      maxBytes: 9,
    });
    expect(outcome).toMatchObject({ outcome: 'ok', text: '{}' });
    expect(sink.bytesReceived()).toBeGreaterThan(0);
  });
});

import { pbkdf2 } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { createDnsLookup, createSystemLookup } from './name-lookup.js';
import { type DnsServer, type DnsZone, startDnsServer } from './testing/dns-server.js';

const never = new AbortController().signal;
const running: DnsServer[] = [];

/** For a server that responds, however busy the machine is. */
const PATIENT_MS = 60_000;

async function lookupIn(zone: DnsZone, timeoutMs = PATIENT_MS) {
  const server = await startDnsServer(zone);
  running.push(server);
  return createDnsLookup({ servers: [server.address], timeoutMs });
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

describe('createDnsLookup', () => {
  it('finds the addresses of both families', async () => {
    const lookup = await lookupIn((_name, family) =>
      family === 4 ? ['8.8.8.8', '8.8.4.4'] : ['2606:2800::1'],
    );
    expect([...(await lookup('rp.example', never))].sort()).toEqual(['2606:2800::1', '8.8.4.4', '8.8.8.8']);
  });

  it('finds the addresses of one family when the other has none or never gets a response', async () => {
    const none = await lookupIn((_name, family) => (family === 4 ? [] : ['2606:2800::1']));
    expect(await none('rp.example', never)).toEqual(['2606:2800::1']);
    const silent = await lookupIn((_name, family) => (family === 4 ? ['8.8.8.8'] : undefined), 3_000);
    expect(await silent('rp.example', never)).toEqual(['8.8.8.8']);
  });

  it('rejects when the name has no address', async () => {
    const lookup = await lookupIn(() => []);
    await expect(lookup('rp.example', never)).rejects.toMatchObject({ code: 'ENODATA' });
  });

  it('rejects when no server responds, by itself or when it is aborted', async () => {
    const lookup = await lookupIn(() => undefined, 250);
    await expect(lookup('rp.example', never)).rejects.toMatchObject({ code: 'ETIMEOUT' });
    const stop = new AbortController();
    const stopped = lookup('rp.example', stop.signal);
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'ECANCELLED' });
  });

  it('leaves the threads of the process free while lookups hang', async () => {
    const lookup = await lookupIn(() => undefined);
    const stop = new AbortController();
    let settled = 0;
    setMaxListeners(0, stop.signal);
    const hanging = Array.from({ length: 64 }, (_, index) =>
      lookup(`slow-${index}.example`, stop.signal).catch(() => {
        settled += 1;
      }),
    );
    await promisify(pbkdf2)('password', 'salt', 1, 32, 'sha256');
    expect(settled).toBe(0);
    stop.abort();
    await Promise.all(hanging);
  });
});

describe('createSystemLookup', () => {
  it('resolves localhost without a lookup', async () => {
    const lookup = createSystemLookup();
    expect(await lookup('localhost', never)).toEqual(['127.0.0.1', '::1']);
    expect(await lookup('app.localhost', never)).toEqual(['127.0.0.1', '::1']);
  });

  it('shares a lookup between parallel calls', () => {
    const lookup = createSystemLookup();
    const [first, second] = [lookup('127.0.0.1', never), lookup('127.0.0.1', never)];
    expect(first).toBe(second);
  });
});

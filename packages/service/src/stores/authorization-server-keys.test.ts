import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestKeyRing } from '@vestibule/crypto/testing';
import { createMetrics } from '@vestibule/http/observability';
import { memoryLog } from '@vestibule/http/testing';
import { type KeyFixture, startJwksServer, TEST_KEYS } from '@vestibule/testkit';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JwksLocation } from '../settings/jwks-location.js';
import { authorizationServerKeys, openAuthorizationServerKeys } from './authorization-server-keys.js';

const { es256, otherEs256 } = TEST_KEYS;
const HINT = { alg: 'ES256', kid: es256.kid };

/** Opens the keys at a place, and waits until they were read once. */
async function opened(location: JwksLocation) {
  const log = memoryLog();
  const metrics = createMetrics('test');
  const settings = { AUTHORIZATION_SERVER_JWKS: location, EGRESS_ALLOW_HOSTS: [] };
  const ours = await openTestKeyRing();
  const open = openAuthorizationServerKeys({
    settings,
    ours,
    logger: log.logger,
    metrics,
    tracer: undefined,
  });
  if (open === undefined) throw new TypeError('a location is set');
  onTestFinished(open.dependency.close);
  await open.keys.refresh();
  const finds = async ({ kid } = es256) => (await open.keys.verificationKeys({ alg: 'ES256', kid })).length;
  const samples = async () =>
    [
      ...(await metrics.registry.metrics()).matchAll(/^authorization_server_jwks_(\S+?)\{(.*)\} (\S+)$/gm),
    ].map(
      ([, name = '', labels = '', value = '']) =>
        `${name} ${labels.replace(/,?service="test",?/, '')} ${Math.round(Number(value))}`,
    );
  return { ...open, ours, log, finds, samples };
}

async function openedServer() {
  const server = await startJwksServer(es256);
  onTestFinished(server.close);
  return { server, ...(await opened({ kind: 'url', url: new URL(server.url) })) };
}

const responds =
  (body: string, headers: Readonly<Record<string, string>> = {}, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };

/** Sends a body without its length, one piece every 50 ms, without an end. */
const drips =
  (start: string, piece: string): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write(start);
    const timer = setInterval(() => response.write(piece), 50);
    response.on('close', () => clearInterval(timer));
  };

const SET = JSON.stringify({ keys: [es256.publicJwk] });
const PRIVATE = JSON.stringify({ keys: [es256.publicJwk, otherEs256.privateJwk] });
const TWICE = JSON.stringify({ keys: [es256.publicJwk, { ...otherEs256.publicJwk, kid: es256.kid }] });
const SIZE = 65_537;
const keysOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...es256.publicJwk,
    kid: index === 0 ? es256.kid : `k${index}`,
  }));
const TOO_MANY = JSON.stringify({ keys: keysOf(21) });

/** What a server may do wrong, and how the log and the readiness response describe it. */
const FAULTS: readonly (readonly [string, RequestListener, string])[] = [
  ['is slow', () => undefined, 'the URL cannot be fetched: timeout'],
  ['drips', drips(SET, ' '), 'the URL cannot be fetched: timeout'],
  [
    'drips a set that never ends',
    drips('{"keys":[', ' '.repeat(65_536)),
    'the URL cannot be fetched: it has more than 65536 bytes',
  ],
  ['cuts the connection', (request) => void request.socket.destroy(), 'the URL cannot be fetched: protocol'],
  [
    'redirects',
    responds('', { location: 'http://127.0.0.1/jwks' }, 302),
    'the URL cannot be fetched: it redirects, with status 302',
  ],
  ['fails', responds(SET, {}, 503), 'the URL cannot be fetched: it responds with status 503'],
  [
    'has another media type',
    responds(SET, { 'content-type': 'text/html' }),
    'the URL cannot be fetched: its media type is neither application/jwk-set+json nor application/json',
  ],
  ['is too large', responds(SET.padEnd(SIZE)), 'the URL cannot be fetched: it has more than 65536 bytes'],
  ['publishes no JSON', responds('<keys/>'), 'The text is not valid JSON'],
  [
    'publishes a private key',
    responds(PRIVATE),
    'keys[1].d: private and symmetric keys are refused; list public keys only',
  ],
  ['publishes two keys with one kid', responds(TWICE), 'two keys have the same kid'],
  ['publishes more than 20 keys', responds(TOO_MANY), 'the key set has more than 20 keys'],
  ['publishes an empty set', responds('{"keys":[]}'), 'no key of the set verifies signatures'],
];

describe('the keys of the authorization server', () => {
  it.each(FAULTS)(
    'stay in use when it %s, with one log line, a problem and a metric',
    async (_what, fault, reason) => {
      const { server, keys, dependency, log, finds, samples } = await openedServer();
      expect(log.lines()).toEqual([]);
      server.respond(fault);
      await keys.refresh();
      await keys.refresh();
      expect(await finds()).toBe(1);
      await expect(dependency.check?.()).resolves.toBeUndefined();
      expect(dependency.problem?.()).toMatch(`AUTHORIZATION_SERVER_JWKS: ${reason}`);
      expect(log.lines()).toEqual([
        expect.objectContaining({
          level: 'warn',
          dependency: 'authorization_server_keys',
          reason: expect.stringContaining(reason),
          msg: expect.stringContaining('30 minutes'),
        }),
      ]);
      expect(log.text()).not.toContain(otherEs256.privateJwk.d);
      expect(await samples()).toEqual([
        expect.stringMatching(/^reads_total outcome="ok" [12]$/),
        'reads_total outcome="failed" 2',
        expect.stringMatching(/^age_seconds {2}\d$/),
        'keys  1',
      ]);
      server.publish(otherEs256);
      await keys.refresh();
      expect(await finds(otherEs256)).toBe(1);
      expect(dependency.problem?.()).toBeUndefined();
      expect(log.lines().at(-1)).toMatchObject({
        level: 'info',
        msg: 'AUTHORIZATION_SERVER_JWKS was read again',
      });
    },
  );

  it('make the service not ready until they were read once', async () => {
    const server = await startJwksServer(es256);
    onTestFinished(server.close);
    server.respond(responds('', {}, 404));
    const { keys, dependency } = await opened({ kind: 'url', url: new URL(server.url) });
    await expect(dependency.check?.()).rejects.toThrow('not been read');
    expect(dependency.problem?.()).toBe(
      'AUTHORIZATION_SERVER_JWKS: the URL cannot be fetched: it responds with status 404',
    );
    server.publish(es256);
    await keys.refresh();
    await expect(dependency.check?.()).resolves.toBeUndefined();
  });

  it('are at most 20', async () => {
    const { server, keys, finds } = await openedServer();
    server.respond(responds(JSON.stringify({ keys: keysOf(20) })));
    await keys.refresh();
    expect([keys.size(), await finds(), keys.problem()]).toEqual([20, 1, undefined]);
  });

  it('do not include a copy of a key of ours', async () => {
    const { server, keys, ours } = await openedServer();
    const [own] = ours.publicJwks().keys;
    const copies = [{ publicJwk: { ...own } }, { publicJwk: { ...own, kid: 'copy' } }];
    server.publish(es256, ...copies);
    await keys.refresh();
    const found = [es256.kid, own?.kid, 'copy'].map((kid) => keys.verificationKeys({ alg: 'ES256', kid }));
    expect((await Promise.all(found)).map(({ length }) => length)).toEqual([1, 0, 0]);
  });

  it('keep the service not ready while the set is empty', async () => {
    const server = await startJwksServer();
    onTestFinished(server.close);
    const { dependency } = await opened({ kind: 'url', url: new URL(server.url) });
    await expect(dependency.check?.()).rejects.toThrow('not been read');
  });

  it('are read from either media type, without cookies or credentials', async () => {
    const { server, keys, finds } = await openedServer();
    let seen: readonly string[] = [];
    server.respond((request, response) => {
      seen = Object.keys(request.headers).sort();
      response.setHeader('content-type', 'application/jwk-set+json; charset=utf-8').end(SET);
    });
    await keys.refresh();
    expect(await finds()).toBe(1);
    expect(seen).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
  });

  it('stay in use when the file is removed or becomes invalid, and change with its content', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vestibule-jwks-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'jwks.json');
    writeFileSync(path, SET);
    const { keys, dependency, finds } = await opened({ kind: 'file', path });
    for (const content of [undefined, PRIVATE, SET.slice(1), SET.padEnd(SIZE)]) {
      if (content === undefined) rmSync(path);
      else writeFileSync(path, content);
      await keys.refresh();
      expect([await finds(), dependency.problem?.() === undefined]).toEqual([1, false]);
    }
    writeFileSync(path, JSON.stringify({ keys: [otherEs256.publicJwk] }));
    await keys.refresh();
    expect([await finds(), await finds(otherEs256), dependency.problem?.()]).toEqual([0, 1, undefined]);
  });

  it('are read every second until that succeeds once, and then at intervals', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const folder = mkdtempSync(join(tmpdir(), 'vestibule-jwks-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'jwks.json');
    const publish = ({ publicJwk }: KeyFixture) => writeFileSync(path, JSON.stringify({ keys: [publicJwk] }));
    const { keys } = await opened({ kind: 'file', path });
    const count = () =>
      Promise.resolve(keys.verificationKeys(HINT)).then(
        ({ length }) => length,
        () => 0,
      );
    /** Lets time pass, and waits for the file to be read if that changes the number of keys as expected. */
    const countAfter = async (ms: number, expected: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      for (let turn = 0; turn < 100_000 && (await count()) !== expected; turn += 1)
        await new Promise(setImmediate);
      return count();
    };
    publish(es256);
    expect(await countAfter(1_100, 1)).toBe(1);
    publish(otherEs256);
    expect(await countAfter(3_500, 1)).toBe(1);
    expect(await countAfter(2_500, 0)).toBe(0);
  });

  it('are read on demand for a command', async () => {
    const server = await startJwksServer(es256);
    onTestFinished(server.close);
    const AUTHORIZATION_SERVER_JWKS = { kind: 'url', url: new URL(server.url) } as const;
    const ours = await openTestKeyRing();
    const keys = authorizationServerKeys({ AUTHORIZATION_SERVER_JWKS, EGRESS_ALLOW_HOSTS: [] }, ours);
    expect(server.requests()).toBe(0);
    expect(await keys?.verificationKeys(HINT)).toHaveLength(1);
    expect(authorizationServerKeys({ EGRESS_ALLOW_HOSTS: [] }, ours)).toBeUndefined();
  });

  it('are none without the setting', async () => {
    const { logger } = memoryLog();
    const settings = { EGRESS_ALLOW_HOSTS: [] };
    const metrics = createMetrics('test');
    const ours = await openTestKeyRing();
    expect(
      openAuthorizationServerKeys({ settings, ours, logger, metrics, tracer: undefined }),
    ).toBeUndefined();
  });
});

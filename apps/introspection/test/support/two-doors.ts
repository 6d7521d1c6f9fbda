import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { openDatabase } from '@vestibule/database';
import type { Server } from '@vestibule/http';
import { createMetrics } from '@vestibule/http/observability';
import { TEST_CERTIFICATE } from '@vestibule/http/testing';
import type { InvalidationStream, PauseGuard } from '@vestibule/tokens/cache';
import { expect, onTestFinished, vi } from 'vitest';
import { registerCacheMetrics } from '../../src/cache-metrics.js';
import { buildApp, composeIntrospection, loadIntrospectionConfig } from '../../src/index.js';
import { aTestCache, exactStoreClock } from './test-cache.js';
import { aTestService, ISSUER, PROXY_SECRET, type TestService } from './test-service.js';

/** Instances over one database that differ in one setting: the first has the fast path, the second has not. */
export interface TwoDoors {
  readonly service: TestService;
  readonly doors: readonly [Door, Door];
}

/** A listening instance. */
export interface Door {
  readonly app: Server;
  readonly port: number;
  readonly isTls: boolean;
  /** Number of requests that reached Fastify. */
  readonly routed: () => number;
  /** Whether a connection to the database is busy or waited for. */
  readonly isReading: () => boolean;
  /** Everything that was counted: metrics except times, and uses of clients. */
  readonly counted: () => Promise<readonly string[]>;
}

/** Deviations of both instances. */
export interface DoorsDeviation {
  readonly environment?: Readonly<Record<string, string>>;
  readonly isTls?: boolean;
  /** What requests wait for, as after a pause of the machine. */
  readonly settle?: PauseGuard['settle'];
}

/** Starts both instances, whose time stands still, with caches that are in use and empty. */
export async function twoDoors({ environment = {}, ...others }: DoorsDeviation = {}): Promise<TwoDoors> {
  const service = await aTestService();
  const open = (hasFastPath: boolean) =>
    openDoor(service, { ...environment, INTROSPECTION_FAST_PATH: String(hasFastPath) }, others);
  return { service, doors: [await open(true), await open(false)] };
}

async function openDoor(
  { databaseUrl, keys, clock }: TestService,
  environment: Readonly<Record<string, string>>,
  { isTls = false, settle = () => undefined }: DoorsDeviation,
): Promise<Door> {
  // A statement that times out on a busy machine would be counted by one instance only.
  const database = openDatabase({ url: databaseUrl, poolSize: 8, statementTimeoutMs: 60_000 });
  const { digester, encryptor, keyRing } = keys;
  const monotonic = () => 0;
  const opened = database.openInvalidationStream({ monotonic, onProblem: () => undefined });
  const stream = uninterrupted(opened);
  const storeClock = { ...exactStoreClock(clock), settle };
  const parts = { clock: storeClock, database, digester, keys: keyRing, stream, monotonic };
  const cache = aTestCache(
    { ...parts, refreshDigestKeys: async () => 0 },
    { limits: { entries: Number(environment['INTROSPECTION_CACHE_ENTRIES'] ?? 1_000), bytes: 1e6 } },
  );
  const { states } = cache;
  const config = loadIntrospectionConfig({
    BASE_URL: ISSUER,
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
    // Its signatures are the same each time.
    ACCESS_TOKEN_SIGNING_ALG: 'EdDSA',
    INTROSPECTION_INACTIVE_PER_MINUTE: '1000000',
    INTROSPECTION_FAILED_AUTHENTICATIONS_PER_MINUTE: '0',
    CLIENT_CERTIFICATE_HEADER: 'Client-Cert',
    CLIENT_CERTIFICATE_PROXY_SECRET: PROXY_SECRET,
    TRUSTED_PROXIES: '127.0.0.1',
    ...environment,
  });
  const metrics = createMetrics('introspection');
  registerCacheMetrics(metrics.registry, { states, watermarkAgeMs: () => 0 });
  const uses = new Map<string, number>();
  const store = {
    database,
    digester,
    encryptor,
    providerKeys: keyRing,
    clock: storeClock,
    clientUses: {
      record: ({ id }: { readonly id: string }) => void uses.set(id, (uses.get(id) ?? 0) + 1),
    },
  };
  const deps = composeIntrospection(config, store, cache, { registry: metrics.registry });
  const tls = { certificate: TEST_CERTIFICATE.cert, key: TEST_CERTIFICATE.key };
  const app = buildApp(deps, { logger: false, metrics, pauses: storeClock, ...(isTls && { tls }) });
  let routed = 0;
  app.addHook('onRequest', (_request, _reply, done) => {
    routed += 1;
    done();
  });
  onTestFinished(async () => {
    await app.close();
    opened.close();
    await database.close();
  });
  const isReady = () => states.log.isCurrent(0) && cache.tagStream.position() !== undefined;
  await vi.waitUntil(isReady, { timeout: 60_000, interval: 5 });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const counted = async () => [
    ...(await metrics.registry.metrics()).split('\n').filter((line) => COUNTED.test(line)),
    ...[...uses].map(([id, count]) => `uses of ${id}: ${count}`).toSorted(),
  ];
  const isReading = () => {
    const { busy, waiting } = database.connections();
    return busy + waiting > 0;
  };
  return { app, port, isTls, routed: () => routed, isReading, counted };
}

/**
 * A stream that goes on without the interruptions that a busy machine causes by chance, when a poll takes longer than it may:
 * one instance would discard its memory, and the other would not.
 */
function uninterrupted(stream: InvalidationStream): InvalidationStream {
  let last = stream.position();
  return {
    subscribe: (listener) => {
      let isStarted = false;
      stream.subscribe({
        onStarted: () => {
          if (!isStarted) listener.onStarted();
          isStarted = true;
        },
        onInvalidation: (invalidation) => listener.onInvalidation(invalidation),
        onAdvanced: (position) => {
          last = position;
          listener.onAdvanced(position);
        },
        onLost: () => undefined,
      });
    },
    watermarkMs: () => (last === undefined ? stream.watermarkMs() : 0),
    position: () => stream.position() ?? last,
    catchUp: () => stream.catchUp(),
  };
}

/** Samples of this service that depend neither on the time nor on which concurrent reads the store serves together. */
const COUNTED =
  /^(?!process_|nodejs_|http_request_duration_seconds_(?:bucket|sum)|token_state_queries_|token_state_reads_total\{source="joined"|#)./;

/** What a client sends over one connection. */
export interface Conversation {
  /** Sent one after the other, each when the server has received everything before. */
  readonly pieces: readonly string[];
  /** Whether the client waits for the response to each piece. */
  readonly isInTurn?: boolean;
  /** Whether the client closes its side after that. Otherwise the last request must have the server close. */
  readonly isCut?: boolean;
}

/** Sends to an instance, and returns what it sends until it closes the connection, without dates and positions. */
export async function converse(
  { app, port, isTls }: Door,
  { pieces, isInTurn = false, isCut = false }: Conversation,
): Promise<string> {
  const accepted = once(app.server, isTls ? 'secureConnection' : 'connection');
  const to = { port, host: '127.0.0.1' };
  const socket = isTls ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to);
  let text = '';
  socket.setNoDelay().setEncoding('latin1');
  // The server may close the connection during the write.
  socket.on('data', (chunk) => (text += chunk)).on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const [theirs]: Socket[] = await accepted;
  let sent = 0;
  for (const [index, piece] of pieces.entries()) {
    // A write to a closed connection would discard what has been received.
    if (theirs?.writableEnded || theirs?.destroyed) break;
    socket.write(piece, 'latin1');
    sent += piece.length;
    const isWaiting = () =>
      (!isTls && theirs !== undefined && theirs.bytesRead < sent) ||
      (isInTurn && text.split('HTTP/1.1 ').length < index + 2);
    while (isWaiting() && !theirs?.destroyed) await turn();
  }
  if (isCut) socket.end();
  await closed;
  return text.replaceAll(/^(date|stream-position): .*$/gim, '$1: now');
}

/** Expects that both instances respond to a conversation alike, which takes place with both at once. */
export async function expectSame(
  [fast, slow]: TwoDoors['doors'],
  name: string,
  make: () => Conversation | Promise<Conversation>,
): Promise<void> {
  const [one, other] = [await make(), await make()];
  const [response, expected] = await Promise.all([converse(fast, one), converse(slow, other)]);
  expect({ name, response }).toEqual({ name, response: expected });
  await Promise.all([untilRead(fast), untilRead(slow)]);
}

/**
 * Waits for the requests of clients that have closed the connection: a lookup of the next conversation could join one of
 * theirs, at one instance and not at the other.
 */
async function untilRead({ isReading }: Door): Promise<void> {
  // The next read of a request may begin a turn later; none of these requests waits for cryptography.
  let idleTurns = 0;
  while (idleTurns < 3) {
    await turn();
    idleTurns = isReading() ? 0 : idleTurns + 1;
  }
}

/** Expects that both instances have counted the same since they started. */
export async function expectSameCounts([fast, slow]: TwoDoors['doors'], name: string): Promise<void> {
  // A request goes on for a while after its client has closed the connection.
  await vi.waitFor(
    async () =>
      expect({ name, counted: await fast.counted() }).toEqual({ name, counted: await slow.counted() }),
    { timeout: 60_000, interval: 5 },
  );
}

import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { buildTestConsole } from '../support/build-test-console.js';
import { consoleWithoutSessions } from '../support/console-without-sessions.js';

/** Listens, and opens streams as browsers do. */
async function aListeningConsole() {
  const console = await buildTestConsole();
  await console.app.listen({ port: 0, host: '127.0.0.1' });
  const [address] = console.app.addresses();
  const port = typeof address === 'object' ? address.port : 0;
  const open = (cookie: string) => streamOf(port, cookie);
  return { ...console, open };
}

interface OpenStream {
  readonly status: number;
  readonly contentType: string | undefined;
  /** What was received so far. */
  readonly text: () => string;
  readonly hasEnded: () => boolean;
  readonly leave: () => void;
}

function streamOf(port: number, cookie: string): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path: '/live', headers: { cookie } }, (response) => {
      let [text, isOver] = ['', false];
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        isOver = true;
      });
      response.on('error', () => undefined);
      resolve({
        status: response.statusCode ?? 0,
        contentType: response.headers['content-type'],
        text: () => text,
        hasEnded: () => isOver,
        leave: () => outgoing.destroy(),
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
    onTestFinished(() => {
      outgoing.destroy();
    });
  });
}

const eventsIn = (text: string) =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as Record<string, string>);

it('sends the figures of the overview at once and at intervals', async () => {
  const { open, cookieOf, get } = await aListeningConsole();
  const stream = await open(await cookieOf('viewer'));
  expect([stream.status, stream.contentType]).toEqual([200, 'text/event-stream']);
  await expect.poll(() => eventsIn(stream.text()).length).toBeGreaterThan(2);
  const [event] = eventsIn(stream.text());
  const places = [...(await get('/')).text.matchAll(/data-figure="([^"]+)"/g)].map(([, name]) => name);
  expect(Object.keys(event ?? {})).toEqual(places);
});

it('is for people who are logged in, and ends with their session', async () => {
  const { open, cookieOf, clock } = await aListeningConsole();
  expect((await open('')).status).toBe(401);
  const stream = await open(await cookieOf('viewer'));
  await expect.poll(() => eventsIn(stream.text()).length).toBeGreaterThan(0);
  clock.advanceSeconds(7_200);
  await expect.poll(() => stream.hasEnded()).toBe(true);
});

it('serves a limited number of readers, fewer of one person, and forgets those who leave', async () => {
  const { open, cookieOf, streams } = await aListeningConsole();
  const cookie = await cookieOf('viewer');
  const readers = [await open(cookie), await open(cookie), await open(cookie)];
  expect((await open(cookie)).status).toBe(429);
  const another = await open(await cookieOf('operator'));
  expect(another.status).toBe(200);
  expect((await open(await cookieOf('admin'))).status).toBe(429);
  another.leave();
  await expect.poll(() => streams.count()).toBe(3);
  readers[0]?.leave();
  await expect.poll(() => streams.count()).toBe(2);
  expect((await open(cookie)).status).toBe(200);
});

it('ends when the process stops', async () => {
  const { open, cookieOf, app } = await aListeningConsole();
  const stream = await open(await cookieOf('viewer'));
  const closing = app.close();
  await expect.poll(() => stream.hasEnded()).toBe(true);
  await closing;
});

it('keeps the streams open with heartbeats while the store is gone', async () => {
  const { open, cookieOf, store, problems } = await aListeningConsole();
  const stream = await open(await cookieOf('viewer'));
  await expect.poll(() => eventsIn(stream.text()).length).toBeGreaterThan(0);
  await store.close();
  await expect.poll(() => stream.text()).toMatch(/\n:\n\n/);
  expect(problems.length).toBeGreaterThan(0);
  expect(stream.hasEnded()).toBe(false);
});

it('responds with 503 while sessions cannot be checked', async () => {
  const { app, cookie } = await consoleWithoutSessions();
  const { statusCode, payload } = await app.inject({ url: '/live', headers: { cookie } });
  expect(statusCode).toBe(503);
  expect(payload).toContain('The database cannot be reached');
});

it('reads the figures once for all readers, and not without readers', async () => {
  const { open, cookieOf, figureReads, streams } = await aListeningConsole();
  const cookie = await cookieOf('viewer');
  const readers = [await open(cookie), await open(cookie), await open(cookie)];
  const counts = () => readers.map(({ text }) => eventsIn(text()).length);
  // Each stream begins with figures of its own.
  await expect.poll(() => Math.min(...counts())).toBeGreaterThan(1);
  const [before, readBefore] = [counts(), figureReads()];
  const fewest = () => Math.min(...counts().map((count, index) => count - (before[index] ?? 0)));
  await expect.poll(fewest).toBeGreaterThan(20);
  // Reads for each stream alone would be three times as many as the figures that one receives.
  expect(figureReads() - readBefore).toBeLessThan(2 * fewest());
  for (const { leave } of readers) leave();
  await expect.poll(() => streams.count()).toBe(0);
  await setTimeout(200);
  const reads = figureReads();
  await setTimeout(200);
  expect(figureReads()).toBe(reads);
});

import { digestTag, type InvalidationStream } from '@vestibule/tokens/cache';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Database } from '../open-database.js';
import { aClient, aDigest, anAccessToken, NOW, opened, twoProcesses } from '../testing/fixtures.js';
import { aMigratedDatabase, query } from '../testing/test-database.js';
import { type InvalidationStreamOptions, openInvalidationStream } from './invalidation-stream.js';

const monotonic = () => performance.now();

/** An invalidation stream with its events as words. */
function aStream(
  database: Pick<Database, 'openInvalidationStream'>,
  options: Partial<InvalidationStreamOptions> = {},
) {
  const heard: string[] = [];
  const stream = database.openInvalidationStream({ monotonic, onProblem: () => undefined, ...options });
  onTestFinished(stream.close);
  record(stream, heard);
  return { stream, heard };
}

function record(stream: InvalidationStream, heard: string[]) {
  stream.subscribe({
    onStarted: () => heard.push('started'),
    onInvalidation: ({ kind }) => heard.push(kind),
    onLost: () => heard.push('lost'),
  });
}

/** Timeout for expected events, in milliseconds, long enough for a busy machine. */
const EVENTUALLY = 60_000;

/** Never closes its connection for missed heartbeats, which are only late on a busy machine. */
const PATIENT = { missedBeats: Number.MAX_SAFE_INTEGER };

/** Resolves when the invalidation stream has caught up, with retries. */
const untilCaughtUp = ({ catchUp }: InvalidationStream) => vi.waitUntil(catchUp, EVENTUALLY);

const KILL_STREAMS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'vestibule invalidations'`;

describe('an invalidation stream', () => {
  it('has no watermark before it listens, and then a recent one', async () => {
    const { one } = await twoProcesses();
    const before = monotonic();
    const { stream, heard } = aStream(one, { heartbeatMs: 20, ...PATIENT });
    expect(stream.watermarkMs()).toBe(Number.NEGATIVE_INFINITY);
    expect(await stream.catchUp()).toBe(false);
    await vi.waitFor(() => expect(stream.watermarkMs()).toBeGreaterThan(before), EVENTUALLY);
    const requested = monotonic();
    await vi.waitFor(() => expect(stream.watermarkMs()).toBeGreaterThan(requested), EVENTUALLY);
    expect(heard).toEqual(['started']);
  });

  it('never has a watermark later than a commit whose events it has not delivered', async () => {
    const { one, other } = await twoProcesses();
    await one.clients.create(aClient());
    const { stream, heard } = aStream(other, { heartbeatMs: 5, ...PATIENT });
    const received = new Map<string, number>();
    stream.subscribe({
      onStarted: () => undefined,
      onInvalidation: (invalidation) => {
        if (invalidation.kind === 'tokens')
          for (const name of invalidation.digests) received.set(name, monotonic());
      },
      onLost: () => undefined,
    });
    await vi.waitFor(() => expect(stream.watermarkMs()).toBeGreaterThan(0), EVENTUALLY);
    for (let round = 0; round < 200; round += 1) {
      const digest = aDigest(String(round));
      await one.accessTokens.insert(digest, anAccessToken({ expiresAt: (NOW + 1e9) as typeof NOW }));
      await one.revocations.revokeAccessToken([digest]);
      const committedAt = monotonic();
      if (round % 4 === 0) await untilCaughtUp(stream);
      if (stream.watermarkMs() >= committedAt) expect(received.has(digestTag(digest))).toBe(true);
      if (round % 4 === 0) expect(received.has(digestTag(digest))).toBe(true);
    }
    expect(heard).not.toContain('lost');
  });

  it('catches up with the commits before each of many calls, with few heartbeats', async () => {
    const { one, other } = await twoProcesses();
    await one.clients.create(aClient());
    let sent = 0;
    const { stream } = aStream(other, {
      heartbeatMs: 60_000,
      ...PATIENT,
      monotonic: () => {
        sent += 1;
        return monotonic();
      },
    });
    const received = new Set<string>();
    stream.subscribe({
      onStarted: () => undefined,
      onInvalidation: (invalidation) => {
        if (invalidation.kind === 'tokens') for (const name of invalidation.digests) received.add(name);
      },
      onLost: () => undefined,
    });
    await vi.waitFor(() => expect(stream.watermarkMs()).toBeGreaterThan(0), EVENTUALLY);
    const revoke = async (text: string) => {
      const digest = aDigest(text);
      await one.accessTokens.insert(digest, anAccessToken({ expiresAt: (NOW + 1e9) as typeof NOW }));
      await one.revocations.revokeAccessToken([digest]);
      await untilCaughtUp(stream);
      expect(received.has(digestTag(digest))).toBe(true);
    };
    await Promise.all(Array.from({ length: 200 }, (_, index) => revoke(String(index))));
    expect(sent).toBeLessThan(200);
  });

  it('reports a lost connection while the watermark is still available, and starts again', async () => {
    const { url, one } = await twoProcesses();
    const { stream, heard } = aStream(one, { heartbeatMs: 20, ...PATIENT });
    const watermarks: number[] = [];
    stream.subscribe({
      onStarted: () => undefined,
      onInvalidation: () => undefined,
      onLost: () => watermarks.push(stream.watermarkMs()),
    });
    for (let round = 1; round <= 3; round += 1) {
      await vi.waitFor(() => expect(stream.watermarkMs()).toBeGreaterThan(0), EVENTUALLY);
      await query(url, KILL_STREAMS);
      await vi.waitFor(() => expect(heard.filter((word) => word === 'lost')).toHaveLength(round), EVENTUALLY);
      await vi.waitFor(
        () => expect(heard.filter((word) => word === 'started')).toHaveLength(round + 1),
        EVENTUALLY,
      );
    }
    expect(watermarks.every((watermarkMs) => watermarkMs > 0)).toBe(true);
    await untilCaughtUp(stream);
  });

  it('treats an unknown message as an invalidation of everything, and ignores a repeated heartbeat', async () => {
    const { url, one } = await twoProcesses();
    const { stream, heard } = aStream(one, PATIENT);
    await vi.waitFor(() => expect(stream.watermarkMs()).toBeGreaterThan(0), EVENTUALLY);
    const garbage = [
      '',
      'x',
      '{}',
      '[]',
      'null',
      '{"v":2,"d":[]}',
      '{"v":1,"d":["short"]}',
      '{"v":1,"k":[1]}',
    ];
    for (const payload of garbage) await query(url, `SELECT pg_notify('vestibule_state', $1)`, [payload]);
    await untilCaughtUp(stream);
    expect(heard).toEqual(['started', ...garbage.map(() => 'everything')]);
  });

  it('closes the connection when its own heartbeats do not arrive on it', async () => {
    const [url, elsewhere] = [await aMigratedDatabase(), await aMigratedDatabase()];
    const reads = opened({ url: elsewhere });
    // Like after a failover that moved the pool but not the listening connection.
    const stream = openInvalidationStream(
      {
        url,
        applicationName: 'vestibule invalidations',
        run: async (_statement, values) => {
          await query(elsewhere, 'SELECT pg_notify($1, $2)', [...values]);
          return { rows: [], rowCount: 0 };
        },
      },
      { monotonic, onProblem: () => undefined, heartbeatMs: 10 },
    );
    onTestFinished(stream.close);
    const heard: string[] = [];
    record(stream, heard);
    await vi.waitFor(() => expect(heard.slice(0, 3)).toEqual(['started', 'lost', 'started']), EVENTUALLY);
    expect(stream.watermarkMs()).toBe(Number.NEGATIVE_INFINITY);
    await reads.ping();
  });

  it('retries while there is no server, and reports the reason', async () => {
    const problems: unknown[] = [];
    const database = opened({ url: 'postgresql://user:secret-word@127.0.0.1:1/none' });
    const { stream, heard } = aStream(database, { onProblem: (error) => problems.push(error) });
    await vi.waitFor(() => expect(problems.length).toBeGreaterThan(2), EVENTUALLY);
    expect(String(problems)).not.toContain('secret-word');
    expect([heard, await stream.catchUp()]).toEqual([[], false]);
  });

  it('delivers no events after it was closed', async () => {
    const { url, one } = await twoProcesses();
    const { stream, heard } = aStream(one, PATIENT);
    await vi.waitFor(() => expect(heard).toEqual(['started']), EVENTUALLY);
    stream.close();
    await query(url, `SELECT pg_notify('vestibule_state', '')`);
    expect(await stream.catchUp()).toBe(false);
    expect(heard).toEqual(['started', 'lost']);
  });
});

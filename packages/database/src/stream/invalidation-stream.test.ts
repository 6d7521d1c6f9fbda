import { digestTag, type InvalidationStream } from '@vestibule/tokens/cache';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Database } from '../open-database.js';
import { ownConnection } from '../own-connection.js';
import type { RunStatement } from '../statement.js';
import { aClient, aDigest, anAccessToken, NOW, opened, twoProcesses } from '../testing/fixtures.js';
import { statementsOf } from '../testing/held-transaction.js';
import { query } from '../testing/test-database.js';
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
    onAdvanced: () => undefined,
    onLost: () => heard.push('lost'),
  });
}

/** Timeout for expected events, in milliseconds, long enough for a busy machine. */
const EVENTUALLY = 60_000;

/** Polls and checks that only the test requests. */
const ON_REQUEST = { pollMs: 600_000, checkMs: 600_000 };

/** Resolves when the invalidation stream has caught up, with retries. */
const untilCaughtUp = ({ catchUp }: InvalidationStream) => vi.waitUntil(catchUp, EVENTUALLY);

const STREAMS = `FROM pg_stat_activity WHERE datname = $1 AND application_name = 'vestibule invalidations'`;

/** The name of a database, and the address of another one on its server. */
function nextTo(url: string): { name: string; maintenance: string } {
  const name = new URL(url).pathname.slice(1);
  return { name, maintenance: Object.assign(new URL(url), { pathname: '/postgres' }).href };
}

describe('an invalidation stream', () => {
  it('has no watermark before it listens, and then a recent one', async () => {
    const { one } = await twoProcesses();
    const before = monotonic();
    const { stream, heard } = aStream(one, { pollMs: 20, checkMs: 20 });
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
    const { stream, heard } = aStream(other, { pollMs: 5, checkMs: 5 });
    const received = new Map<string, number>();
    stream.subscribe({
      onStarted: () => undefined,
      onInvalidation: (invalidation) => {
        if (invalidation.kind === 'tokens')
          for (const name of invalidation.digests) received.set(name, monotonic());
      },
      onAdvanced: () => undefined,
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

  it('catches up with the commits before each of many calls, with few polls', async () => {
    const { one, other } = await twoProcesses();
    await one.clients.create(aClient());
    let sent = 0;
    const { stream } = aStream(other, {
      ...ON_REQUEST,
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
      onAdvanced: () => undefined,
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
    // A poll and a check for each call would be 400.
    expect(sent).toBeLessThan(200);
  });

  it('reports a lost connection while the watermark is still available, and starts again', async () => {
    const { url, one } = await twoProcesses();
    const { name, maintenance } = nextTo(url);
    const allow = (isAllowed: boolean) =>
      query(maintenance, `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isAllowed}`);
    onTestFinished(async () => void (await allow(true)));
    const { stream, heard } = aStream(one, { pollMs: 20, checkMs: 20 });
    const watermarks: number[] = [];
    stream.subscribe({
      onStarted: () => undefined,
      onInvalidation: () => undefined,
      onAdvanced: () => undefined,
      onLost: () => watermarks.push(stream.watermarkMs()),
    });
    for (let round = 1; round <= 3; round += 1) {
      await vi.waitFor(() => expect(stream.watermarkMs()).toBeGreaterThan(0), EVENTUALLY);
      await allow(false);
      await query(maintenance, `SELECT pg_terminate_backend(pid) ${STREAMS}`, [name]);
      await vi.waitFor(() => expect(heard.filter((word) => word === 'lost')).toHaveLength(round), EVENTUALLY);
      expect(stream.position()).toBeUndefined();
      await allow(true);
      await vi.waitFor(
        () => expect(heard.filter((word) => word === 'started')).toHaveLength(round + 1),
        EVENTUALLY,
      );
    }
    expect(watermarks).toHaveLength(3);
    expect(watermarks.every((watermarkMs) => watermarkMs > 0)).toBe(true);
    await untilCaughtUp(stream);
  });

  it('misses nothing when its connection breaks, and continues on another one', async () => {
    const { url, one, other } = await twoProcesses();
    const { name, maintenance } = nextTo(url);
    await one.clients.create(aClient());
    const { stream, heard } = aStream(other, { pollMs: 5, checkMs: 5 });
    await untilCaughtUp(stream);
    const sessions = new Set<number>();
    for (let round = 0; round < 10; round += 1) {
      const digest = aDigest(String(round));
      await one.accessTokens.insert(digest, anAccessToken({ expiresAt: (NOW + 1e9) as typeof NOW }));
      const ended = await query<{ pid: number }>(
        maintenance,
        `SELECT pid, pg_terminate_backend(pid) ${STREAMS}`,
        [name],
      );
      for (const { pid } of ended) sessions.add(pid);
      await one.revocations.revokeAccessToken([digest]);
      await untilCaughtUp(stream);
    }
    expect(sessions.size).toBeGreaterThan(5);
    expect(heard).toEqual(['started', ...Array.from({ length: 10 }, () => 'tokens')]);
  });

  it('treats an unknown event as an invalidation of everything', async () => {
    const { url, one } = await twoProcesses();
    const { stream, heard } = aStream(one);
    await untilCaughtUp(stream);
    const garbage = [
      ['other', []],
      ['', []],
      ['tokens', ['short']],
      ['entities', [digestTag(aDigest('a')), '']],
    ];
    for (const event of garbage) {
      await query(url, 'INSERT INTO invalidation_event (kind, tags) VALUES ($1, $2)', event);
      await untilCaughtUp(stream);
    }
    expect(heard).toEqual(['started', ...garbage.map(() => 'everything')]);
  });

  it('reconnects when the pool leads to another server', async () => {
    const [first, second] = [(await twoProcesses()).one, (await twoProcesses()).url];
    const { stream: elsewhere } = aStream(first);
    await untilCaughtUp(elsewhere);
    const heard: string[] = [];
    // Like after a failover that moved the pool but not the connection of the stream.
    const stream = openInvalidationStream(
      {
        connect: () => ownConnection({ url: second }),
        run: async () => ({ rows: [{ epoch: elsewhere.position()?.epoch }], rowCount: 1 }) as never,
      },
      { monotonic, onProblem: () => undefined, pollMs: 10, checkMs: 10 },
    );
    onTestFinished(stream.close);
    record(stream, heard);
    await vi.waitFor(() => expect(heard.slice(0, 3)).toEqual(['started', 'lost', 'started']), EVENTUALLY);
    expect(stream.watermarkMs()).toBe(Number.NEGATIVE_INFINITY);
  });

  it('has the time at which the last poll was sent as its watermark, not that of the response or of a later check', async () => {
    const { url } = await twoProcesses();
    const pool = await statementsOf(url);
    let nowMs = 1_000;
    let checks = 0;
    const connect = () => {
      const connection = ownConnection({ url });
      const run: RunStatement = async (statement, values) => {
        const result = await connection.run(statement, values);
        nowMs += 100;
        return result as never;
      };
      return { ...connection, run };
    };
    const run: RunStatement = async (statement, values) => {
      const result = await pool(statement, values);
      checks += 1;
      return result as never;
    };
    const options = { monotonic: () => nowMs, onProblem: () => undefined, pollMs: 600_000, checkMs: 5 };
    const stream = openInvalidationStream({ connect, run }, options);
    onTestFinished(stream.close);
    await untilCaughtUp(stream);
    const sentAtMs = nowMs;
    expect(await stream.catchUp()).toBe(true);
    nowMs += 500;
    const before = checks;
    await vi.waitFor(() => expect(checks).toBeGreaterThan(before + 1), EVENTUALLY);
    expect(stream.watermarkMs()).toBe(sentAtMs);
  });

  it('has neither a new watermark nor a new position while the pool does not respond', async () => {
    const { url, one } = await twoProcesses();
    let isResponding = true;
    const run: RunStatement = (statement, values) =>
      isResponding ? pool(statement, values) : Promise.reject(new Error('no response'));
    const pool = await statementsOf(url);
    const stream = openInvalidationStream(
      { connect: () => ownConnection({ url }), run },
      { monotonic, onProblem: () => undefined, pollMs: 10, checkMs: 10 },
    );
    onTestFinished(stream.close);
    await untilCaughtUp(stream);
    isResponding = false;
    expect(await stream.catchUp()).toBe(false);
    const before = stream.watermarkMs();
    await vi.waitFor(() => expect(monotonic() - before).toBeGreaterThan(1_500), EVENTUALLY);
    const { transactionId } = stream.position() ?? { transactionId: 0n };
    const heard: string[] = [];
    record(stream, heard);
    await query(url, `DELETE FROM invalidation_epoch`);
    await one.clients.create(aClient());
    await vi.waitFor(() => expect(heard).toEqual(['started', 'everything']), EVENTUALLY);
    expect([stream.watermarkMs(), stream.position()?.transactionId]).toEqual([before, transactionId]);
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
    const { stream, heard } = aStream(one);
    await vi.waitFor(() => expect(heard).toEqual(['started']), EVENTUALLY);
    stream.close();
    await query(url, `INSERT INTO invalidation_event (kind) VALUES ('everything')`);
    expect(await stream.catchUp()).toBe(false);
    expect(heard).toEqual(['started', 'lost']);
  });
});

import { digestName, type RevocationFeed } from '@vestibule/tokens';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Database } from '../open-database.js';
import { aClient, aDigest, anAccessToken, NOW, opened, twoProcesses } from '../testing/fixtures.js';
import { aMigratedDatabase, ask } from '../testing/test-database.js';
import { openRevocationFeed, type RevocationFeedOptions } from './revocation-feed.js';

const monotonic = () => performance.now();

/** A feed with what it said, each kind of message a word. */
function aFeed(database: Pick<Database, 'openRevocationFeed'>, options: Partial<RevocationFeedOptions> = {}) {
  const heard: string[] = [];
  const feed = database.openRevocationFeed({ monotonic, onProblem: () => undefined, ...options });
  onTestFinished(feed.close);
  record(feed, heard);
  return { feed, heard };
}

function record(feed: RevocationFeed, heard: string[]) {
  feed.subscribe({
    onStarted: () => heard.push('started'),
    onAnnouncement: ({ kind }) => heard.push(kind),
    onLost: () => heard.push('lost'),
  });
}

const KILL_FEEDS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'vestibule feed'`;

describe('a revocation feed', () => {
  it('proves nothing before it listens, and then everything up to a moment ago', async () => {
    const { one } = await twoProcesses();
    const before = monotonic();
    const { feed, heard } = aFeed(one, { heartbeatMs: 20 });
    expect(feed.provenAtMs()).toBe(Number.NEGATIVE_INFINITY);
    expect(await feed.catchUp()).toBe(false);
    await vi.waitFor(() => expect(feed.provenAtMs()).toBeGreaterThan(before));
    const asked = monotonic();
    await vi.waitFor(() => expect(feed.provenAtMs()).toBeGreaterThan(asked));
    expect(heard).toEqual(['started']);
  });

  it('never proves a moment at which something was committed that it has not told', async () => {
    const { one, other } = await twoProcesses();
    await one.clients.create(aClient());
    const { feed } = aFeed(other, { heartbeatMs: 5 });
    const told = new Map<string, number>();
    feed.subscribe({
      onStarted: () => undefined,
      onAnnouncement: (announcement) => {
        if (announcement.kind === 'tokens')
          for (const name of announcement.digests) told.set(name, monotonic());
      },
      onLost: () => undefined,
    });
    await vi.waitFor(() => expect(feed.provenAtMs()).toBeGreaterThan(0));
    for (let round = 0; round < 200; round += 1) {
      const digest = aDigest(String(round));
      await one.accessTokens.insert(digest, anAccessToken({ expiresAt: (NOW + 1e9) as typeof NOW }));
      await one.revocations.revokeAccessToken([digest]);
      const committedAt = monotonic();
      if (round % 4 === 0) expect(await feed.catchUp()).toBe(true);
      if (feed.provenAtMs() >= committedAt) expect(told.has(digestName(digest))).toBe(true);
      if (round % 4 === 0) expect(told.has(digestName(digest))).toBe(true);
    }
  });

  it('catches up with what was committed before each of many calls, with few heartbeats', async () => {
    const { one, other } = await twoProcesses();
    await one.clients.create(aClient());
    let sent = 0;
    const { feed } = aFeed(other, {
      heartbeatMs: 60_000,
      monotonic: () => {
        sent += 1;
        return monotonic();
      },
    });
    const told = new Set<string>();
    feed.subscribe({
      onStarted: () => undefined,
      onAnnouncement: (announcement) => {
        if (announcement.kind === 'tokens') for (const name of announcement.digests) told.add(name);
      },
      onLost: () => undefined,
    });
    await vi.waitFor(() => expect(feed.provenAtMs()).toBeGreaterThan(0));
    const revoke = async (text: string) => {
      const digest = aDigest(text);
      await one.accessTokens.insert(digest, anAccessToken({ expiresAt: (NOW + 1e9) as typeof NOW }));
      await one.revocations.revokeAccessToken([digest]);
      expect(await feed.catchUp()).toBe(true);
      expect(told.has(digestName(digest))).toBe(true);
    };
    await Promise.all(Array.from({ length: 200 }, (_, index) => revoke(String(index))));
    expect(sent).toBeLessThan(200);
  });

  it('says that it lost the connection, before the proof goes, and starts again', async () => {
    const { url, one } = await twoProcesses();
    const { feed, heard } = aFeed(one, { heartbeatMs: 20 });
    const proofs: number[] = [];
    feed.subscribe({
      onStarted: () => undefined,
      onAnnouncement: () => undefined,
      onLost: () => proofs.push(feed.provenAtMs()),
    });
    for (let round = 1; round <= 3; round += 1) {
      await vi.waitFor(() => expect(feed.provenAtMs()).toBeGreaterThan(0));
      await ask(url, KILL_FEEDS);
      await vi.waitFor(() => expect(heard.filter((word) => word === 'lost')).toHaveLength(round));
      await vi.waitFor(() => expect(heard.filter((word) => word === 'started')).toHaveLength(round + 1));
    }
    expect(proofs.every((proof) => proof > 0)).toBe(true);
    expect(await feed.catchUp()).toBe(true);
  });

  it('takes what it cannot read for everything, and a repeated heartbeat for nothing', async () => {
    const { url, one } = await twoProcesses();
    const { feed, heard } = aFeed(one);
    await vi.waitFor(() => expect(feed.provenAtMs()).toBeGreaterThan(0));
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
    for (const payload of garbage) await ask(url, `SELECT pg_notify('vestibule_state', $1)`, [payload]);
    expect(await feed.catchUp()).toBe(true);
    expect(heard).toEqual(['started', ...garbage.map(() => 'everything')]);
  });

  it('gives the connection up when its own heartbeats do not come back by it', async () => {
    const [url, elsewhere] = [await aMigratedDatabase(), await aMigratedDatabase()];
    const reads = opened({ url: elsewhere });
    // As after a failover that moved the pool and left the listener behind.
    const feed = openRevocationFeed(
      {
        url,
        applicationName: 'vestibule feed',
        run: async (_statement, values) => {
          await ask(elsewhere, 'SELECT pg_notify($1, $2)', [...values]);
          return { rows: [], rowCount: 0 };
        },
      },
      { monotonic, onProblem: () => undefined, heartbeatMs: 10 },
    );
    onTestFinished(feed.close);
    const heard: string[] = [];
    record(feed, heard);
    await vi.waitFor(() => expect(heard.slice(0, 3)).toEqual(['started', 'lost', 'started']), 10_000);
    expect(feed.provenAtMs()).toBe(Number.NEGATIVE_INFINITY);
    await reads.ping();
  });

  it('goes on trying while nobody is there, and tells why', async () => {
    const problems: unknown[] = [];
    const database = opened({ url: 'postgresql://nobody:secret-word@127.0.0.1:1/none' });
    const { feed, heard } = aFeed(database, { onProblem: (error) => problems.push(error) });
    await vi.waitFor(() => expect(problems.length).toBeGreaterThan(2), 10_000);
    expect(String(problems)).not.toContain('secret-word');
    expect([heard, await feed.catchUp()]).toEqual([[], false]);
  });

  it('is silent once it is closed', async () => {
    const { url, one } = await twoProcesses();
    const { feed, heard } = aFeed(one);
    await vi.waitFor(() => expect(heard).toEqual(['started']));
    feed.close();
    await ask(url, `SELECT pg_notify('vestibule_state', '')`);
    expect(await feed.catchUp()).toBe(false);
    expect(heard).toEqual(['started', 'lost']);
  });
});

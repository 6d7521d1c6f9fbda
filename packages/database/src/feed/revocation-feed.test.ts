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

/** How long what must happen may take, in milliseconds: on a busy machine many times as long as on an idle one. */
const EVENTUALLY = 60_000;

/** Never gives its connection up for beats that stay away: on a busy machine they only come late. */
const PATIENT = { missedBeats: Number.MAX_SAFE_INTEGER };

/** Resolves when the feed has caught up, however often that takes longer than it waits. */
const untilCaughtUp = ({ catchUp }: RevocationFeed) => vi.waitUntil(catchUp, EVENTUALLY);

const KILL_FEEDS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'vestibule feed'`;

describe('a revocation feed', () => {
  it('proves nothing before it listens, and then everything up to a moment ago', async () => {
    const { one } = await twoProcesses();
    const before = monotonic();
    const { feed, heard } = aFeed(one, { heartbeatMs: 20, ...PATIENT });
    expect(feed.provenAtMs()).toBe(Number.NEGATIVE_INFINITY);
    expect(await feed.catchUp()).toBe(false);
    await vi.waitFor(() => expect(feed.provenAtMs()).toBeGreaterThan(before), EVENTUALLY);
    const asked = monotonic();
    await vi.waitFor(() => expect(feed.provenAtMs()).toBeGreaterThan(asked), EVENTUALLY);
    expect(heard).toEqual(['started']);
  });

  it('never proves a moment at which something was committed that it has not told', async () => {
    const { one, other } = await twoProcesses();
    await one.clients.create(aClient());
    const { feed, heard } = aFeed(other, { heartbeatMs: 5, ...PATIENT });
    const told = new Map<string, number>();
    feed.subscribe({
      onStarted: () => undefined,
      onAnnouncement: (announcement) => {
        if (announcement.kind === 'tokens')
          for (const name of announcement.digests) told.set(name, monotonic());
      },
      onLost: () => undefined,
    });
    await vi.waitFor(() => expect(feed.provenAtMs()).toBeGreaterThan(0), EVENTUALLY);
    for (let round = 0; round < 200; round += 1) {
      const digest = aDigest(String(round));
      await one.accessTokens.insert(digest, anAccessToken({ expiresAt: (NOW + 1e9) as typeof NOW }));
      await one.revocations.revokeAccessToken([digest]);
      const committedAt = monotonic();
      if (round % 4 === 0) await untilCaughtUp(feed);
      if (feed.provenAtMs() >= committedAt) expect(told.has(digestName(digest))).toBe(true);
      if (round % 4 === 0) expect(told.has(digestName(digest))).toBe(true);
    }
    expect(heard).not.toContain('lost');
  });

  it('catches up with what was committed before each of many calls, with few heartbeats', async () => {
    const { one, other } = await twoProcesses();
    await one.clients.create(aClient());
    let sent = 0;
    const { feed } = aFeed(other, {
      heartbeatMs: 60_000,
      ...PATIENT,
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
    await vi.waitFor(() => expect(feed.provenAtMs()).toBeGreaterThan(0), EVENTUALLY);
    const revoke = async (text: string) => {
      const digest = aDigest(text);
      await one.accessTokens.insert(digest, anAccessToken({ expiresAt: (NOW + 1e9) as typeof NOW }));
      await one.revocations.revokeAccessToken([digest]);
      await untilCaughtUp(feed);
      expect(told.has(digestName(digest))).toBe(true);
    };
    await Promise.all(Array.from({ length: 200 }, (_, index) => revoke(String(index))));
    expect(sent).toBeLessThan(200);
  });

  it('says that it lost the connection, before the proof goes, and starts again', async () => {
    const { url, one } = await twoProcesses();
    const { feed, heard } = aFeed(one, { heartbeatMs: 20, ...PATIENT });
    const proofs: number[] = [];
    feed.subscribe({
      onStarted: () => undefined,
      onAnnouncement: () => undefined,
      onLost: () => proofs.push(feed.provenAtMs()),
    });
    for (let round = 1; round <= 3; round += 1) {
      await vi.waitFor(() => expect(feed.provenAtMs()).toBeGreaterThan(0), EVENTUALLY);
      await ask(url, KILL_FEEDS);
      await vi.waitFor(() => expect(heard.filter((word) => word === 'lost')).toHaveLength(round), EVENTUALLY);
      await vi.waitFor(
        () => expect(heard.filter((word) => word === 'started')).toHaveLength(round + 1),
        EVENTUALLY,
      );
    }
    expect(proofs.every((proof) => proof > 0)).toBe(true);
    await untilCaughtUp(feed);
  });

  it('takes what it cannot read for everything, and a repeated heartbeat for nothing', async () => {
    const { url, one } = await twoProcesses();
    const { feed, heard } = aFeed(one, PATIENT);
    await vi.waitFor(() => expect(feed.provenAtMs()).toBeGreaterThan(0), EVENTUALLY);
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
    await untilCaughtUp(feed);
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
    await vi.waitFor(() => expect(heard.slice(0, 3)).toEqual(['started', 'lost', 'started']), EVENTUALLY);
    expect(feed.provenAtMs()).toBe(Number.NEGATIVE_INFINITY);
    await reads.ping();
  });

  it('goes on trying while nobody is there, and tells why', async () => {
    const problems: unknown[] = [];
    const database = opened({ url: 'postgresql://nobody:secret-word@127.0.0.1:1/none' });
    const { feed, heard } = aFeed(database, { onProblem: (error) => problems.push(error) });
    await vi.waitFor(() => expect(problems.length).toBeGreaterThan(2), EVENTUALLY);
    expect(String(problems)).not.toContain('secret-word');
    expect([heard, await feed.catchUp()]).toEqual([[], false]);
  });

  it('is silent once it is closed', async () => {
    const { url, one } = await twoProcesses();
    const { feed, heard } = aFeed(one, PATIENT);
    await vi.waitFor(() => expect(heard).toEqual(['started']), EVENTUALLY);
    feed.close();
    await ask(url, `SELECT pg_notify('vestibule_state', '')`);
    expect(await feed.catchUp()).toBe(false);
    expect(heard).toEqual(['started', 'lost']);
  });
});

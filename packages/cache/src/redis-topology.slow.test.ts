import { freePort } from '@vestibule/local-services';
import { frozenClock } from '@vestibule/protocol/testing';
import { anAccessToken } from '@vestibule/testkit';
import { expect, it, onTestFinished, vi } from 'vitest';
import { digestText } from './cache-key.js';
import { redisRateLimits } from './redis-rate-limits.js';
import { connectedRedis } from './testing/connected-redis.js';
import {
  NEEDED_COMMANDS,
  type RedisProcess,
  type RedisProcessOptions,
  startRedisProcess,
  TEST_PASSWORD,
} from './testing/redis-process.js';
import { someDigest } from './testing/some-digest.js';
import { tokenStateLevel } from './token-state-level.js';

const clock = frozenClock();
const SLOTS = 16_384;
const USER_RULES = ['~vestibule:*', ...NEEDED_COMMANDS.map((command) => `+${command}`)];

/** Longer than several slow commands; other tests measure how soon a client recovers. */
const RECOVERY = { timeout: 60_000, interval: 20 };

async function aServer(options?: RedisProcessOptions): Promise<RedisProcess> {
  const server = await startRedisProcess(options);
  onTestFinished(() => server.stop());
  return server;
}

/** Starts three masters that share the slots, and waits until all of them know. */
async function aCluster(): Promise<readonly [RedisProcess, RedisProcess, RedisProcess]> {
  const aNode = async (busPort: number) =>
    aServer({
      configuration: [
        'cluster-enabled yes',
        `cluster-port ${busPort}`,
        // Long enough that a short stall of a busy machine does not count as a lost node.
        'cluster-node-timeout 5000',
        'cluster-require-full-coverage no',
      ],
    });
  const busPort = await freePort();
  const first = await aNode(busPort);
  const second = await aNode(await freePort());
  const third = await aNode(await freePort());
  const nodes = [first, second, third] as const;
  await first.admin.cluster('ADDSLOTSRANGE', 0, 5_499);
  await second.admin.cluster('ADDSLOTSRANGE', 5_500, 10_999);
  await third.admin.cluster('ADDSLOTSRANGE', 11_000, SLOTS - 1);
  for (const { admin } of [second, third]) await admin.cluster('MEET', '127.0.0.1', first.port, busPort);
  const agreed = ['cluster_state:ok', `cluster_slots_ok:${SLOTS}`, 'cluster_known_nodes:3'];
  const agrees = async ({ admin }: RedisProcess) => {
    const info = await admin.cluster('INFO');
    return agreed.every((line) => info.includes(line));
  };
  const allAgree = async () => (await Promise.all(nodes.map(agrees))).every(Boolean);
  await vi.waitUntil(allAgree, { timeout: 12_000, interval: 50 });
  return nodes;
}

it('follows the sentinels to the new master within five seconds when the old one freezes', async () => {
  const master = await aServer();
  const replica = await aServer({ configuration: [`replicaof 127.0.0.1 ${master.port}`] });
  const sentinel = await aServer({
    sentinel: true,
    configuration: [
      `sentinel monitor main 127.0.0.1 ${master.port} 1`,
      `sentinel auth-pass main ${TEST_PASSWORD}`,
      'sentinel down-after-milliseconds main 500',
      'sentinel failover-timeout main 2000',
    ],
  });
  for (const server of [master, replica]) await server.addUser('app', USER_RULES);
  const sentinelCommands = ['+subscribe', '+sentinel|get-master-addr-by-name', '+sentinel|sentinels'];
  await sentinel.addUser('watcher', ['&+switch-master', ...sentinelCommands]);
  const { redis } = await connectedRedis({
    url: `redis+sentinel://app:${TEST_PASSWORD}@127.0.0.1:${sentinel.port}/main`,
    sentinelCredentials: { username: 'watcher', password: TEST_PASSWORD },
    commandTimeoutMs: 100,
  });
  const level = tokenStateLevel({ redis, clock });
  const canWrite = async () => (await level.invalidate([someDigest()])) === 'invalidated';
  const knowsReplica = async () =>
    String(await sentinel.admin.call('SENTINEL', 'MASTER', 'main')).includes('num-slaves,1');
  await vi.waitUntil(knowsReplica, { timeout: 12_000, interval: 50 });
  await vi.waitUntil(canWrite, { timeout: 60_000, interval: 50 });

  master.freeze();
  const namesReplica = async () => {
    const address = await sentinel.admin.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'main');
    return String(address).endsWith(`,${replica.port}`);
  };
  await vi.waitUntil(namesReplica, { timeout: 12_000, interval: 50 });
  await vi.waitUntil(canWrite, { timeout: 60_000, interval: 50 });
  for (const { admin } of [replica, sentinel]) expect(await admin.call('ACL', 'LOG')).toEqual([]);
});

it('serves every key from a cluster, follows moved slots, and works without a lost node', async () => {
  const [first, second, third] = await aCluster();
  const { redis } = await connectedRedis({
    url: `redis+cluster://:${TEST_PASSWORD}@127.0.0.1:${first.port}`,
  });
  const level = tokenStateLevel({ redis, clock });
  const digests = Array.from({ length: 60 }, () => someDigest());
  const outcomes = async () => (await Promise.all(digests.map(level.get))).map(({ outcome }) => outcome);

  const allAre = async (expected: string) => (await outcomes()).every((outcome) => outcome === expected);
  // A machine that stalls for half a second loses connections and their pending commands.
  const allFill = async () => {
    await Promise.all(digests.map((digest) => level.fill(digest, anAccessToken(), clock.nowMs())));
    return allAre('live');
  };
  await vi.waitUntil(allFill, RECOVERY);
  await vi.waitUntil(async () => (await level.invalidate(digests)) === 'invalidated', RECOVERY);
  await vi.waitUntil(() => allAre('tombstone'), RECOVERY);
  const limit = { name: 'any', limit: 1_000, windowMs: 60_000 };
  const limits = redisRateLimits({ redis, clock });
  const isCounted = async () => (await limits.count(limit, 'caller')).outcome === 'within';
  await vi.waitUntil(isCounted, RECOVERY);

  await second.admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  await vi.waitUntil(() => allAre('tombstone'), RECOVERY);

  const moved = someDigest();
  const slot = await first.admin.cluster('KEYSLOT', `vestibule:1:token:${digestText(moved)}`);
  const target = slot < 5_500 ? second : first;
  const targetId = await target.admin.cluster('MYID');
  for (const { admin } of [target, first, second, third])
    await admin.cluster('SETSLOT', slot, 'NODE', targetId);
  await vi.waitUntil(async () => (await level.get(moved)).outcome === 'miss', RECOVERY);

  for (const { admin } of [first, second, third]) expect(await admin.call('ACL', 'LOG')).toEqual([]);
  await third.kill();
  const remainingNodesRespond = async () => {
    const now = new Set(await outcomes());
    return now.has('tombstone') && now.has('unavailable') && now.size === 2;
  };
  await vi.waitUntil(remainingNodesRespond, RECOVERY);
});

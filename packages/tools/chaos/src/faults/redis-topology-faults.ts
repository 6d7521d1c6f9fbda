import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Closers, freePort } from '@vestibule/local-services';
import { REDIS_PASSWORD, type RedisUnderFault, startRedisUnderFault } from '../processes/redis.js';
import { type Fault, UNNOTICED } from '../trials/fault.js';
import { until } from '../until.js';
import { repeating } from './repeating.js';

const SENTINELS = 3;
const MASTERS = 3;
const FAIL_OVER_MS = 4_000;
const MOVED_SLOTS = 1_000;

/** Redis with replicas: masters fail over while tokens are introspected and revoked. */
export const REDIS_TOPOLOGY_FAULTS: readonly Fault[] = [
  sentinelFault('kill'),
  sentinelFault('freeze'),
  clusterFault(),
];

/** A master and a replica watched by three sentinels; the current master fails. */
function sentinelFault(how: 'kill' | 'freeze'): Fault {
  let servers: readonly RedisUnderFault[] = [];
  let sentinels: readonly RedisUnderFault[] = [];
  return {
    id: `sentinel-${how}`,
    title: `the Redis master is ${how === 'kill' ? 'killed' : 'frozen'}, sentinels name another, over and over`,
    seconds: 16,
    limits: UNNOTICED,
    prepare: async (_, toEnd) => {
      const master = await started(toEnd);
      servers = [master, await started(toEnd, { configuration: [`replicaof 127.0.0.1 ${master.port}`] })];
      const configuration = [
        `sentinel monitor main 127.0.0.1 ${master.port} 2`,
        `sentinel auth-pass main ${REDIS_PASSWORD}`,
        'sentinel down-after-milliseconds main 500',
        'sentinel failover-timeout main 2000',
      ];
      sentinels = [];
      while (sentinels.length < SENTINELS)
        sentinels = [...sentinels, await started(toEnd, { sentinel: true, configuration })];
      await until(async () => (await Promise.all(sentinels.map(isComplete))).every(Boolean));
      const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
      return { redisUrl: `redis+sentinel://:${REDIS_PASSWORD}@${hosts}/main` };
    },
    begin: async () =>
      repeating(0, async () => {
        const named = await sentinels[0]?.admin.call('SENTINEL', 'get-master-addr-by-name', 'main');
        const master = servers.find(({ port }) => String(named).endsWith(`,${port}`));
        if (how === 'kill') await master?.kill();
        else master?.freeze();
        await pause(FAIL_OVER_MS / 2);
        if (how === 'kill') await master?.restart();
        else master?.thaw();
        await pause(FAIL_OVER_MS / 2);
      }),
  };
}

/** Three masters with a replica each: one master is killed, and slots move. */
function clusterFault(): Fault {
  let nodes: readonly RedisUnderFault[] = [];
  return {
    id: 'cluster',
    title: 'in a Redis cluster of 3 + 3 a master is killed and slots move',
    seconds: 20,
    limits: UNNOTICED,
    prepare: async (_, toEnd) => {
      nodes = [];
      while (nodes.length < 2 * MASTERS) {
        const configuration = [
          'cluster-enabled yes',
          `cluster-port ${await freePort()}`,
          'cluster-node-timeout 1000',
          'cluster-require-full-coverage no',
        ];
        nodes = [...nodes, await started(toEnd, { configuration })];
      }
      const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`);
      await redisCli(['--cluster', 'create', ...hosts, '--cluster-replicas', '1', '--cluster-yes']);
      await until(async () => (await Promise.all(nodes.map(isClusterUp))).every(Boolean));
      return { redisUrl: `redis+cluster://:${REDIS_PASSWORD}@${hosts.join(',')}` };
    },
    begin: async () =>
      repeating(0, async (turn) => {
        const masters = await mastersOf(nodes);
        const victim = masters[turn % masters.length];
        const [from, to] = masters.filter((node) => node !== victim);
        if (from !== undefined && to !== undefined) await moveSlots(from, to);
        await victim?.kill();
        await pause(FAIL_OVER_MS);
        await victim?.restart();
        await pause(FAIL_OVER_MS / 2);
      }),
  };
}

async function started(toEnd: Closers, options = {}): Promise<RedisUnderFault> {
  const server = await startRedisUnderFault(options);
  toEnd.add(server.stop);
  return server;
}

async function isComplete({ admin }: RedisUnderFault): Promise<boolean> {
  const reported = String(await admin.call('SENTINEL', 'MASTER', 'main'));
  return reported.includes('num-slaves,1') && reported.includes(`num-other-sentinels,${SENTINELS - 1}`);
}

async function isClusterUp({ admin }: RedisUnderFault): Promise<boolean> {
  return (await admin.cluster('INFO')).includes('cluster_state:ok');
}

async function mastersOf(nodes: readonly RedisUnderFault[]): Promise<readonly RedisUnderFault[]> {
  const roles = await Promise.all(nodes.map(async ({ admin }) => String(await admin.role())));
  return nodes.filter((_, index) => roles[index]?.startsWith('master'));
}

async function moveSlots(from: RedisUnderFault, to: RedisUnderFault): Promise<void> {
  const [source, target] = [await from.admin.cluster('MYID'), await to.admin.cluster('MYID')];
  const slots = String(MOVED_SLOTS);
  await redisCli([
    ...['--cluster', 'reshard', `127.0.0.1:${from.port}`, '--cluster-from', source, '--cluster-to', target],
    ...['--cluster-slots', slots, '--cluster-yes'],
  ]).catch(() => undefined);
}

async function redisCli(args: readonly string[]): Promise<void> {
  await promisify(execFile)('redis-cli', ['-a', REDIS_PASSWORD, '--no-auth-warning', ...args], {
    timeout: 15_000,
  });
}

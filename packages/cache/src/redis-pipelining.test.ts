import { expect, it, onTestFinished } from 'vitest';
import { connectedRedis } from './testing/connected-redis.js';
import { startRedisProcess } from './testing/redis-process.js';

const COMMANDS = 50;

it('sends the commands of one turn of the event loop in one write, and resolves each of them', async () => {
  const server = await startRedisProcess();
  onTestFinished(() => server.stop());
  const { redis } = await connectedRedis({ url: server.url });
  const reads = async () => Number(/total_reads_processed:(\d+)/.exec(await server.admin.info('stats'))?.[1]);
  const ask = (number: number) => redis.run((commands) => commands.incrby(`counter-${number}`, number));

  await ask(0);
  for (let turn = 1; turn <= 2; turn += 1) {
    const before = await reads();
    const responses = await Promise.all(Array.from({ length: COMMANDS }, (_, number) => ask(number)));
    expect(responses).toEqual(Array.from({ length: COMMANDS }, (_, number) => turn * number));
    // One of the reads is that of the counter itself.
    expect((await reads()) - before).toBe(2);
  }
});

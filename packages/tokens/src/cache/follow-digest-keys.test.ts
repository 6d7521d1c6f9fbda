import { expect, it } from 'vitest';
import { DATA_KEYS_FACT, factName } from '../fact-name.js';
import { simulatedFeed } from '../testing/simulated-feed.js';
import { turnsPass } from '../testing/simulated-house.js';
import { simulatedTime } from '../testing/simulated-time.js';
import { announcementLog } from './announcement-log.js';
import { followDigestKeys } from './follow-digest-keys.js';

/** Keys that are read when a test says so, and a mark of something that was read by them before. */
function followed() {
  const time = simulatedTime();
  const feed = simulatedFeed(time.monotonic);
  const log = announcementLog({ feed, monotonic: time.monotonic });
  const readings: ((changes: number | undefined) => void)[] = [];
  const refresh = () =>
    new Promise<number>((resolve, reject) => {
      readings.push((changes) =>
        changes === undefined ? reject(new Error('store down')) : resolve(changes),
      );
    });
  followDigestKeys({ feed, log, scheduler: time.scheduler, refresh });
  let changes = 0;
  const end = async (outcome: 'changed' | 'same' | 'failed') => {
    if (outcome === 'changed') changes += 1;
    readings.shift()?.(outcome === 'failed' ? undefined : changes);
    await turnsPass();
  };
  const announce = async (names: readonly string[]) => {
    feed.commit({ kind: 'facts', names });
    feed.deliver(feed.waiting);
    await turnsPass();
  };
  return { time, feed, log, readings, end, announce };
}

it('distrusts what was read by the keys of before, as soon as the new ones are read', async () => {
  const { log, end, announce, readings } = followed();
  await end('same');
  const mark = log.mark();
  await announce([DATA_KEYS_FACT]);
  const meanwhile = log.mark();
  await end('changed');
  for (const each of [mark, meanwhile]) expect(log.isIntact(each, [])).toBe(false);
  expect(log.isIntact(log.mark(), [])).toBe(true);
  expect(readings).toEqual([]);
});

it('goes on trusting what was read by the same keys, however often they are read', async () => {
  const { log, end, announce } = followed();
  const atStart = log.mark();
  await end('same');
  await announce([DATA_KEYS_FACT]);
  await end('same');
  expect(log.isIntact(atStart, [])).toBe(true);
});

it('reads again what changed while the keys were read', async () => {
  const { end, announce, readings } = followed();
  await end('changed');
  await announce([DATA_KEYS_FACT]);
  await announce([DATA_KEYS_FACT]);
  expect(readings).toHaveLength(1);
  await end('changed');
  expect(readings).toHaveLength(1);
});

it('reads the keys when announcements begin again, and not for changes of anything else', async () => {
  const { feed, log, end, announce, readings } = followed();
  await end('same');
  await announce([factName('client', 'a'), factName('signing-keys', '')]);
  expect(readings).toEqual([]);
  feed.lose();
  feed.start();
  await turnsPass();
  const mark = log.mark();
  await end('changed');
  expect(log.isIntact(mark, [])).toBe(false);
});

it('goes on trying while the keys cannot be read, as long as announcements come', async () => {
  const { time, feed, end, readings } = followed();
  await end('failed');
  expect(readings).toEqual([]);
  time.pass(250);
  expect(readings).toHaveLength(1);
  await end('failed');
  feed.lose();
  time.pass(250);
  expect(readings).toEqual([]);
});

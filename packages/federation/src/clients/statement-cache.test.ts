import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it } from 'vitest';
import { statementCache } from './statement-cache.js';

it('keeps statements no longer than their lifetime and the configured maximum, in bounded memory', async () => {
  const clock = frozenClock();
  const now = Math.floor(clock.nowMs() / 1000);
  const cache = statementCache({ clock, maxSeconds: 60, maxLength: 10 });
  const put = (address: string, text: string, life: number) =>
    cache.put(address, text, (now + life) as never);
  await put('a', 'aaaa', 30);
  await put('b', 'bbbb', 3_600);
  expect(await cache.get('a')).toBe('aaaa');
  clock.advanceSeconds(30);
  expect([await cache.get('a'), await cache.get('b')]).toEqual([undefined, 'bbbb']);
  clock.advanceSeconds(30);
  expect(await cache.get('b')).toBeUndefined();
  await put('c', 'cccccc', 3_600);
  await put('d', 'dddddd', 3_600);
  expect([await cache.get('c'), await cache.get('d')]).toEqual([undefined, 'dddddd']);
});

it('counts URLs too, which attackers can choose like statements', async () => {
  const clock = frozenClock();
  const until = (Math.floor(clock.nowMs() / 1000) + 60) as never;
  const cache = statementCache({ clock, maxSeconds: 60, maxLength: 10 });
  await cache.put('aaaaa', 'a', until);
  await cache.put('bbbbb', 'b', until);
  expect([await cache.get('aaaaa'), await cache.get('bbbbb')]).toEqual([undefined, 'b']);
  await cache.put('bbbbb', 'bbbbb', until);
  expect(await cache.get('bbbbb')).toBe('bbbbb');
});

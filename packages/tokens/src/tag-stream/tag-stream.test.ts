import { createHmac } from 'node:crypto';
import type { Digest, Digester } from '@vestibule/crypto/data-keys';
import { describe, expect, it } from 'vitest';
import { type CacheTag, cacheTag, digestTag } from '../cache/cache-tag.js';
import { simulatedStream } from '../testing/simulated-stream.js';
import { tagStream } from './tag-stream.js';

/** A digester whose keys can be replaced. */
function aDigester(...keys: string[]) {
  const under = (key: string, kind: string, value: string) =>
    Uint8Array.from(createHmac('sha256', key).update(`${kind} ${value}`).digest()) as Uint8Array as Digest;
  const digester: Pick<Digester, 'digest' | 'availableDigests'> = {
    digest: (kind, value) => under(keys[0] ?? '', kind, value),
    availableDigests: (kind, value) => {
      const [first, ...others] = keys.map((key) => under(key, kind, value));
      return [first ?? expect.fail('there is no key'), ...others];
    },
  };
  return { digester, keys };
}

function createFixture(...keys: string[]) {
  let nowMs = 1_000;
  const { digester, keys: replaceable } = aDigester(...(keys.length === 0 ? ['one'] : keys));
  const stream = simulatedStream(() => nowMs);
  const onKeysChange: (() => void)[] = [];
  const tags = tagStream({
    stream,
    digester,
    authorizationServerKeys: { onChange: (listener) => void onKeysChange.push(listener) },
    monotonic: () => nowMs,
  });
  const poll = (...changed: readonly CacheTag[]) => {
    nowMs += 200;
    if (changed.length > 0) stream.commit({ kind: 'entities', tags: changed });
    stream.beat();
    stream.deliver(10);
  };
  poll();
  return {
    tags,
    stream,
    poll,
    keys: replaceable,
    changeKeys: () => onKeysChange.forEach((run) => void run()),
  };
}

function reader({ tags }: Pick<ReturnType<typeof createFixture>, 'tags'>, lastEventId?: string) {
  let text = '';
  tags.follow((events) => {
    text += String(events);
  }, lastEventId);
  return {
    /** The events since the last call. */
    events: () => {
      const blocks = text.split('\n\n').filter(Boolean);
      text = '';
      return blocks.map((block) => {
        const [, event, , id, data = ''] =
          /^event: (\w+)\n(id: (\S+)\n)?data: (.*)$/.exec(block) ?? expect.fail(block);
        return { event, ...(id && { id }), data: JSON.parse(data) };
      });
    },
  };
}

const ALICE = cacheTag('subject', 'alice');

describe('the stream of changes', () => {
  it('names each changed tag under every key, so that responses under the former key are outdated too', () => {
    const { keys, ...world } = createFixture('one', 'former');
    const [current, former] = keys.map((key) => aDigester(key).digester.digest('cache-tag', ALICE));
    const follower = reader(world);
    follower.events();
    world.poll(ALICE);
    const [{ data } = expect.fail('nothing was sent')] = follower.events();
    const names = [current, former].map((digest) =>
      Buffer.from(digest ?? [])
        .subarray(0, 16)
        .toString('base64url'),
    );
    expect(data.tags).toEqual(names);
    expect(world.tags.names(world.tags.position() ?? '', [ALICE])).toEqual([names[0]]);
  });

  it('has no names for a response whose position is of other keys: instances without the new key could not name them', () => {
    const world = createFixture('former');
    const before = world.tags.position() ?? '';
    expect(world.tags.names(before, [ALICE])).toHaveLength(1);
    world.keys.unshift('new');
    expect(world.tags.names(before, [ALICE])).toBeUndefined();
    world.poll();
    expect(world.tags.names(before, [ALICE])).toBeUndefined();
    expect(world.tags.names(world.tags.position() ?? '', [ALICE])).toHaveLength(1);
  });

  it('resets its readers when the set of keys changes, with positions of another epoch', () => {
    const world = createFixture('one');
    const follower = reader(world);
    const [, { id: before = '' } = {}] = follower.events();
    world.keys.unshift('two');
    world.poll();
    const [{ event, id = '', data } = expect.fail('nothing was sent')] = follower.events();
    expect([event, data.reason]).toEqual(['reset', 'other_epoch']);
    expect(id.split('.')[0]).not.toBe(before.split('.')[0]);
  });

  it('resets its readers when anything may have changed, and when keys of tokens have', () => {
    const world = createFixture();
    const follower = reader(world);
    const reasonAfter = (change: () => void) => {
      follower.events();
      change();
      world.poll();
      return follower.events().map(({ data }) => data.reason);
    };
    expect(reasonAfter(() => world.stream.commit({ kind: 'everything' }))).toEqual(['too_many_changes']);
    const many = Array.from({ length: 20_001 }, (_, index) => digestTag(Buffer.from(String(index))));
    expect(reasonAfter(() => world.stream.commit({ kind: 'entities', tags: many }))).toEqual([
      'too_many_changes',
    ]);
    expect(reasonAfter(() => world.poll(cacheTag('data-keys', '')))).toContain('keys_changed');
    expect(reasonAfter(world.changeKeys)).toEqual(['keys_changed']);
    expect(reasonAfter(() => world.poll(cacheTag('signing-keys', '')))).toEqual([undefined, undefined]);
    expect(
      reasonAfter(() => {
        world.stream.lose();
        world.stream.start();
      }),
    ).toEqual(['interrupted']);
  });

  it('has no position and sends nothing while it is interrupted', () => {
    const world = createFixture();
    const follower = reader(world);
    follower.events();
    world.stream.lose();
    expect(world.tags.position()).toBeUndefined();
    const other = reader(world);
    expect([follower.events(), other.events().map(({ event }) => event)]).toEqual([[], ['open']]);
    world.stream.start();
    world.poll();
    expect(other.events().map(({ event }) => event)).toEqual(['reset']);
    expect(world.tags.position()).toMatch(/^[\w-]{16}\.\d+$/);
  });

  it('splits many changes, and gives only the last part the new position', () => {
    const world = createFixture();
    const follower = reader(world);
    const [, { id: first = '' } = {}] = follower.events();
    const changed = Array.from({ length: 1_001 }, (_, index) => digestTag(Buffer.from(String(index))));
    world.poll(...changed);
    const parts = follower.events();
    expect(parts.map(({ data }) => data.tags.length)).toEqual([500, 500, 1]);
    expect(parts.map(({ id }) => id === first)).toEqual([true, true, false]);
    expect(new Set(parts.map(({ data }) => data.at)).size).toBe(1);
  });

  it('never lets the position of a reader that continues go back', () => {
    const world = createFixture();
    const changed = Array.from({ length: 501 }, (_, index) => digestTag(Buffer.from(String(index))));
    world.poll(...changed);
    const position = world.tags.position() ?? expect.fail('there is no position');
    const parts = reader(world, position).events();
    expect(parts.map(({ event }) => event)).toEqual(['open', 'invalidate', 'invalidate', 'heartbeat']);
    expect(parts.slice(1).map(({ id }) => id)).toEqual([position, position, position]);
  });

  it('forgets what is older than a minute, and what exceeds 20,000 tags', () => {
    const world = createFixture();
    const first = world.tags.position() ?? '';
    world.poll(ALICE);
    expect(reader(world, first).events()[1]?.event).toBe('invalidate');
    for (let polls = 0; polls < 301; polls += 1) world.poll();
    expect(reader(world, first).events()[1]?.data.reason).toBe('unknown_position');
    const second = world.tags.position() ?? '';
    for (let round = 0; round < 3; round += 1)
      world.poll(
        ...Array.from({ length: 10_000 }, (_, index) => digestTag(Buffer.from(`${round} ${index}`))),
      );
    expect(reader(world, second).events()[1]?.data.reason).toBe('unknown_position');
  });

  it('sends a heartbeat only when nothing else was sent for a while', () => {
    const world = createFixture();
    const follower = reader(world);
    follower.events();
    world.poll(ALICE);
    world.stream.beat();
    world.stream.deliver(1);
    expect(follower.events().map(({ event }) => event)).toEqual(['invalidate']);
    world.poll();
    expect(follower.events().map(({ event }) => event)).toEqual(['heartbeat']);
  });

  it('sends nothing to a reader that has left', () => {
    const world = createFixture();
    let received = 0;
    const leave = world.tags.follow(() => {
      received += 1;
    });
    leave();
    world.poll(ALICE);
    expect(received).toBe(1);
  });
});

import { createHmac } from 'node:crypto';
import type { Digest, Digester } from '@vestibule/crypto/data-keys';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cacheTag } from '../cache/cache-tag.js';
import type { InvalidationStream, RevocationListener } from '../cache/invalidation-stream.js';
import { type TagStream, tagStream } from './tag-stream.js';

const ENTITIES = ['a', 'b', 'c'] as const;
type Entity = (typeof ENTITIES)[number];
const tagOf = (entity: Entity) => cacheTag('client', entity);

const digest: Digester['digest'] = (kind, value) =>
  Uint8Array.from(createHmac('sha256', 'key').update(`${kind} ${value}`).digest()) as Uint8Array as Digest;
const DIGESTER = {
  digest,
  availableDigests: ((...of) => [digest(...of)]) satisfies Digester['availableDigests'],
};

/** A database with transactions that change entities and commit in any order. */
function aDatabase() {
  let next = 1n;
  const open = new Map<bigint, Entity>();
  const committed: { readonly id: bigint; readonly entity: Entity }[] = [];
  return {
    begin: (entity: Entity) => {
      open.set(next, entity);
      next += 1n;
    },
    commit: (index: number) => {
      const [id, entity] = [...open][index % Math.max(1, open.size)] ?? [];
      if (id === undefined || entity === undefined) return;
      open.delete(id);
      committed.push({ id, entity });
    },
    /** How many changes are visible now, and the lowest number that is not decided. */
    snapshot: () => ({
      length: committed.length,
      xmin: [...open.keys()].toSorted(byNumber)[0] ?? next,
      xmax: next,
    }),
    committed,
    version: (entity: Entity, length: number) =>
      committed.slice(0, length).filter((change) => change.entity === entity).length,
  };
}

const byNumber = (one: bigint, other: bigint) => Number(one - other);

/** An instance whose invalidation stream is read by hand. */
function anInstance(database: ReturnType<typeof aDatabase>, passed: () => number) {
  const listeners: RevocationListener[] = [];
  let seen = database.snapshot();
  const stream = {
    subscribe: (listener) => void listeners.push(listener),
    watermarkMs: passed,
  } as Partial<InvalidationStream> as InvalidationStream;
  const tags: TagStream = tagStream({ stream, digester: DIGESTER, monotonic: passed });
  let isLost = true;
  const poll = () => {
    const now = database.snapshot();
    // Events of the time before are missed.
    if (isLost) seen = now;
    isLost = false;
    for (const { id, entity } of database.committed.slice(seen.length, now.length))
      for (const { onInvalidation } of listeners)
        onInvalidation({ kind: 'entities', tags: [tagOf(entity)], transactionId: id });
    seen = now;
    for (const { onAdvanced } of listeners)
      onAdvanced({ epoch: 'history', transactionId: now.xmin, nextTransactionId: now.xmax });
  };
  poll();
  const lose = () => {
    isLost = true;
    for (const { onLost } of listeners) onLost();
  };
  return { tags, poll, lose, seen: () => seen };
}

interface Kept {
  readonly entity: Entity;
  readonly version: number;
  readonly position: string;
  readonly tags: readonly string[];
}

const numberOf = (position: string) => BigInt(position.split('.')[1] ?? '');

/** A reader that follows the rules of the stream, and forgets no event since its last reset. */
function aReader() {
  let kept: Kept[] = [];
  let lastId: string | undefined;
  let floor: bigint | undefined;
  let events: { readonly tag: string; readonly at: bigint }[] = [];
  const isOutdated = ({ position, tags }: Kept) =>
    events.some(({ tag, at }) => tags.includes(tag) && at >= numberOf(position));
  const apply = ({ event, id, tags, at }: SeenEvent) => {
    if (event !== 'reset' && lastId !== undefined)
      expect(numberOf(id)).toBeGreaterThanOrEqual(numberOf(lastId));
    if (event === 'reset') {
      [kept, events, floor, lastId] = [[], [], at, id];
      return;
    }
    for (const tag of tags) events.push({ tag, at });
    kept = kept.filter((each) => !isOutdated(each));
    lastId = id;
  };
  return {
    receive: (bytes: Uint8Array) => {
      const text = String(bytes);
      for (const block of text.split('\n\n').filter((each) => each.includes('id: '))) apply(eventOf(block));
    },
    keep: (response: Kept) => {
      if (floor !== undefined && numberOf(response.position) > floor && !isOutdated(response))
        kept.push(response);
    },
    kept: () => kept,
    lastId: () => lastId,
  };
}

interface SeenEvent {
  readonly event: string;
  readonly id: string;
  readonly tags: readonly string[];
  readonly at: bigint;
}

function eventOf(block: string): SeenEvent {
  const [, event = '', id = '', data = ''] =
    /^event: (\w+)\nid: (\S+)\ndata: (.*)$/.exec(block) ?? expect.fail(block);
  const { tags = [], at = '0' }: { tags?: string[]; at?: string } = JSON.parse(data);
  return { event, id, tags, at: BigInt(at) };
}

/** A database, two instances and a reader that follows one of them. */
function aWorld() {
  let nowMs = 0;
  const database = aDatabase();
  database.begin('a');
  const instances = [anInstance(database, () => nowMs), anInstance(database, () => nowMs)] as const;
  const reader = aReader();
  let followed = instances[0];
  let leave = followed.tags.follow(reader.receive);
  const underWay: Kept[] = [];
  const requireCurrent = () => {
    const { length } = followed.seen();
    for (const { entity, version } of reader.kept())
      expect(version).toBeGreaterThanOrEqual(database.version(entity, length));
  };
  return {
    requireCurrent,
    kept: () => reader.kept().length,
    begin: database.begin,
    commit: database.commit,
    wait: (ms: number) => {
      nowMs += ms;
    },
    poll: (instance: 0 | 1) => {
      nowMs += 200;
      instances[instance].poll();
    },
    lose: (instance: 0 | 1) => {
      instances[instance].lose();
      instances[instance].poll();
    },
    ask: (instance: 0 | 1, entity: Entity, isFromMemory: boolean) => {
      const { tags, seen } = instances[instance];
      const { length } = isFromMemory ? seen() : database.snapshot();
      const version = database.version(entity, length);
      const position = tags.position() ?? expect.fail('there is no position');
      underWay.push({ entity, version, position, tags: tags.names(position, [tagOf(entity)]) ?? [] });
    },
    deliver: (index: number) => {
      for (const response of underWay.splice(index, 1)) reader.keep(response);
    },
    reconnect: (instance: 0 | 1) => {
      leave();
      followed = instances[instance];
      leave = followed.tags.follow(reader.receive, reader.lastId());
      followed.poll();
    },
  };
}

type World = ReturnType<typeof aWorld>;
type Step = (world: World) => void;

const entities = fc.constantFrom(...ENTITIES);
const instances = fc.constantFrom(0 as const, 1 as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: entities.map(
      (entity): Step =>
        ({ begin }) =>
          begin(entity),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.nat(3).map(
      (index): Step =>
        ({ commit }) =>
          commit(index),
    ),
  },
  {
    weight: 4,
    arbitrary: instances.map(
      (instance): Step =>
        ({ poll }) =>
          poll(instance),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(instances, entities, fc.boolean()).map(
      (request): Step =>
        ({ ask }) =>
          ask(...request),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.nat(3).map(
      (index): Step =>
        ({ deliver }) =>
          deliver(index),
    ),
  },
  {
    weight: 1,
    arbitrary: instances.map(
      (instance): Step =>
        ({ reconnect }) =>
          reconnect(instance),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(100, 70_000).map(
      (ms): Step =>
        ({ wait }) =>
          wait(ms),
    ),
  },
);

it('never leaves a reader with a response that is older than the stream that it follows', () => {
  let kept = 0;
  const holds = (steps: readonly Step[]) => {
    const world = aWorld();
    for (const run of steps) {
      run(world);
      world.requireCurrent();
      kept += world.kept();
    }
  };
  fc.assert(fc.property(fc.array(step, { minLength: 20, maxLength: 120 }), holds), { numRuns: 1_000 });
  // The rules do not hold for lack of responses.
  expect(kept).toBeGreaterThan(5_000);
});

it('does not let a reader keep a response that lacks a change which its instance missed while it was interrupted', () => {
  const world = aWorld();
  world.begin('b');
  world.commit(1);
  world.lose(0);
  // The other instance does not know of the change yet, and an older transaction keeps its position back.
  world.ask(1, 'b', true);
  world.deliver(0);
  expect(world.kept()).toBe(0);
});

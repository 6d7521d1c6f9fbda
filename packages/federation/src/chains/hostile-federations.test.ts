import { describe, expect, it } from 'vitest';
import type { EntityId } from '../entity-id.js';
import { configurationAddress } from '../entity-id.js';
import { anEntity, type TestEntity } from '../testing/test-entity.js';
import { aFederation } from '../testing/test-federation.js';
import type { Resolution } from './resolve-trust.js';

const chainOf = ({ chosen }: Resolution) =>
  chosen?.entities.map((id: EntityId) => id.replace('https://', ''));
const reasonsOf = ({ paths }: Resolution) => paths.flatMap(({ reason }) => reason ?? []).toSorted();

describe('hostile federations', () => {
  /** A federation in which an entity has `width` superiors, as has each of these, up to `depth` levels. */
  function tree(width: number, depth: number) {
    const federation = aFederation();
    federation.entity('anchor.example');
    const level = (name: string, left: number): TestEntity[] =>
      left === 0
        ? []
        : Array.from({ length: width }, (_, index) => {
            const entity = anEntity(`https://${name}${index}.example`);
            federation.join(entity, level(`${name}${index}-`, left - 1));
            return entity;
          });
    return { ...federation, ...federation.relyingParty(level('n', depth)) };
  }

  it('cause fetches from a few of a thousand superiors, anchors first', async () => {
    const { entity, relyingParty, resolve, fetched } = aFederation();
    const anchor = entity('anchor.example');
    const crowd = Array.from({ length: 500 }, (_, index) => `https://fake${index}.example`);
    const { token } = relyingParty([anchor], { authority_hints: [...crowd, anchor.id] });
    const resolution = await resolve(token);
    expect(chainOf(resolution)).toEqual(['rp.example', 'anchor.example']);
    expect(fetched.length).toBeLessThanOrEqual(9);
    expect(reasonsOf(resolution)).toContain('too_many_hints');
    const { token: alone } = relyingParty([anchor], { authority_hints: crowd });
    fetched.length = 0;
    expect((await resolve(alone)).chosen).toBeUndefined();
    expect(fetched).toHaveLength(8);
  });

  it('are abandoned when the fetch budget is used up, in every topology', async () => {
    for (const [width, depth] of [
      [3, 4],
      [1, 12],
      [8, 2],
      [2, 6],
    ] as const) {
      const { token, resolve, fetched } = tree(width, depth);
      const resolution = await resolve(token, { rules: { maxPathLength: 50 } });
      expect(resolution.chosen).toBeUndefined();
      expect(fetched.length).toBeLessThanOrEqual(20);
      expect(reasonsOf(resolution)).toContain('fetch_budget');
    }
  });

  it('are abandoned at the longest permitted path, before any further fetch', async () => {
    const { token, resolve, fetched } = tree(1, 12);
    const resolution = await resolve(token);
    expect(reasonsOf(resolution)).toEqual(['path_too_long']);
    expect(fetched).toHaveLength(4);
  });

  it('are abandoned at the deadline, after which no fetch starts', async () => {
    const { entity, relyingParty, resolve, served, clock, fetched } = aFederation();
    const anchor = entity('anchor.example');
    const slow = anEntity('https://slow.example');
    served.set(configurationAddress(slow.id), async () => {
      clock.advanceSeconds(5);
      return undefined;
    });
    const { token } = relyingParty([anchor], { authority_hints: [slow.id, anchor.id] });
    const resolution = await resolve(token, {
      limits: { maxParallel: 1, maxHints: 2 },
      rules: { anchors: new Map() },
    });
    expect(reasonsOf(resolution)).toEqual(['time_budget', 'unresolvable']);
    expect(fetched).toEqual([configurationAddress(slow.id)]);
  });

  it('are abandoned as soon as the signal is aborted, even if a server never responds', async () => {
    const { entity, relyingParty, resolve, served } = aFederation();
    const anchor = entity('anchor.example');
    const controller = new AbortController();
    served.set(configurationAddress(anchor.id), () => {
      controller.abort();
      return new Promise(() => {});
    });
    const { token } = relyingParty([anchor]);
    expect(reasonsOf(await resolve(token, { signal: controller.signal }))).toEqual(['time_budget']);
    expect(reasonsOf(await resolve(token, { signal: AbortSignal.abort() }))).toEqual(['time_budget']);
  });

  it('cause at most the configured number of parallel fetches', async () => {
    const { relyingParty, resolve, served, entity } = aFederation();
    entity('anchor.example');
    let [running, most] = [0, 0];
    const crowd = Array.from({ length: 8 }, (_, index) => anEntity(`https://n${index}.example`));
    for (const { id } of crowd)
      served.set(configurationAddress(id), async () => {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        return undefined;
      });
    const { token } = relyingParty(crowd);
    await resolve(token, { limits: { maxParallel: 3 } });
    expect(most).toBe(3);
  });

  it('are limited to a number of paths, even if all statements are cached', async () => {
    const { entity, relyingParty, resolve } = aFederation();
    const anchor = entity('anchor.example');
    const high = Array.from({ length: 6 }, (_, index) => entity(`high${index}.example`, [anchor]));
    const low = Array.from({ length: 6 }, (_, index) => entity(`low${index}.example`, high));
    const { token } = relyingParty(low);
    const resolution = await resolve(token, {
      limits: { maxFetches: 1_000, maxPaths: 10 },
      isExhaustive: true,
    });
    expect(resolution.paths.filter(({ trusted }) => trusted)).toHaveLength(10);
    const others = resolution.paths.filter(({ trusted }) => !trusted);
    expect(others.map(({ reason }) => reason)).toEqual(Array.from({ length: 26 }, () => 'too_many_hints'));
  });

  it('cause the last step to an anchor to be tried before other paths, which may be dead ends', async () => {
    const { entity, relyingParty, resolve } = aFederation();
    const anchor = entity('anchor.example');
    const high = Array.from({ length: 5 }, (_, index) => entity(`high${index}.example`, [anchor]));
    const low = entity('low.example', high);
    const straight = entity('straight.example', [anchor]);
    const { token } = relyingParty([low, straight]);
    const { chosen } = await resolve(token, { limits: { maxPaths: 2 } });
    expect(chosen?.entities[1]).toBe(straight.id);
    const { chosen: frugal } = await resolve(token, { limits: { maxFetches: 6, maxParallel: 1 } });
    expect(frugal?.entities[1]).toBe(straight.id);
  });
});

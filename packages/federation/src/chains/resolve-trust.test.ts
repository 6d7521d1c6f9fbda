import { describe, expect, it } from 'vitest';
import type { EntityId } from '../entity-id.js';
import { configurationAddress } from '../entity-id.js';
import { anEntity, LIFETIME, NOW } from '../testing/test-entity.js';
import { aFederation, subordinateAddress } from '../testing/test-federation.js';
import { explainResolution } from './explain-resolution.js';
import type { Resolution } from './resolve-trust.js';

const chainOf = ({ chosen }: Resolution) =>
  chosen?.entities.map((id: EntityId) => id.replace('https://', ''));
const reasonsOf = ({ paths }: Resolution) => paths.flatMap(({ reason }) => reason ?? []).toSorted();

describe('resolveTrust', () => {
  it('finds a chain directly below an anchor, with one fetch each for the configuration and the statement of the anchor', async () => {
    const { entity, relyingParty, resolve, fetched } = aFederation();
    const anchor = entity('anchor.example');
    const { entity: leaf, token } = relyingParty([anchor]);
    const resolution = await resolve(token);
    expect(chainOf(resolution)).toEqual(['rp.example', 'anchor.example']);
    expect(fetched).toEqual([configurationAddress(anchor.id), subordinateAddress(anchor, leaf)]);
    expect(resolution.fetches).toBe(2);
    expect(resolution.chosen?.metadata).toEqual({
      openid_relying_party: { redirect_uris: ['https://rp.example/cb'] },
    });
  });

  it('expires with the first of its statements', async () => {
    for (const [index, expiresAt] of [NOW + 10, NOW + 20, NOW + 30].entries()) {
      const { entity, relyingParty, publish, publishAbout, resolve } = aFederation();
      const anchor = entity('anchor.example');
      const ends = [expiresAt, NOW + 40, NOW + 50];
      const [leafEnd, aboutEnd, anchorEnd] = [...ends.slice(index), ...ends.slice(0, index)];
      const { entity: leaf, token } = relyingParty([anchor], { exp: leafEnd });
      publishAbout(anchor, leaf, { exp: aboutEnd });
      publish(anchor, { exp: anchorEnd });
      expect((await resolve(token)).expiresAt).toBe(expiresAt);
    }
  });

  it('applies the metadata of the superior and all policies from the top down, and reports every step', async () => {
    const { entity, relyingParty, publishAbout, resolve } = aFederation();
    const anchor = entity('anchor.example');
    const org = entity('org.example', [anchor]);
    const { entity: leaf, token } = relyingParty([org]);
    const policy = (parameter: string, operators: object) => ({
      openid_relying_party: { [parameter]: { ...operators } },
    });
    publishAbout(anchor, org, {
      metadata_policy: policy('contacts', { add: ['anchor'] }),
      metadata: { openid_relying_party: { client_name: 'not for the leaf' } },
    });
    publishAbout(org, leaf, {
      metadata_policy: policy('contacts', { add: ['org'] }),
      metadata: { openid_relying_party: { policy_uri: 'https://org.example/policy' }, oauth_client: {} },
    });
    const resolution = await resolve(token);
    const resolved = {
      openid_relying_party: {
        redirect_uris: ['https://rp.example/cb'],
        policy_uri: 'https://org.example/policy',
        contacts: ['anchor', 'org'],
      },
    };
    expect(resolution.chosen?.metadata).toEqual(resolved);
    const [report] = resolution.paths;
    expect(report?.metadata?.merges).toEqual([
      {
        entityType: 'openid_relying_party',
        parameter: 'contacts',
        operator: 'add',
        superior: ['anchor'],
        subordinate: ['org'],
        merged: ['anchor', 'org'],
      },
    ]);
    expect(report?.metadata?.steps).toEqual([
      {
        entityType: 'openid_relying_party',
        parameter: 'contacts',
        operator: 'add',
        operand: ['anchor', 'org'],
        after: ['anchor', 'org'],
        passed: true,
      },
    ]);
    expect(report?.metadata?.resolved).toEqual(resolved);
  });

  it('tries every superior, and keeps the reasons why the others failed', async () => {
    const { entity, relyingParty, resolve, served } = aFederation();
    const anchor = entity('anchor.example');
    const dead = anEntity('https://dead.example');
    const lost = entity('lost.example', [dead]);
    const broken = entity('broken.example', [anchor]);
    const sound = entity('sound.example', [anchor]);
    const { entity: leaf, token } = relyingParty([dead, lost, broken, sound]);
    served.set(subordinateAddress(broken, leaf), 'not a statement');
    const resolution = await resolve(token);
    expect(chainOf(resolution)).toEqual(['rp.example', 'sound.example', 'anchor.example']);
    expect(reasonsOf(resolution)).toEqual(['malformed_statement', 'unresolvable', 'unresolvable']);
    expect(resolution.paths.find(({ reason }) => reason === 'malformed_statement')).toMatchObject({
      entities: [leaf.id, broken.id],
      failedAt: { issuer: broken.id, subject: leaf.id },
    });
  });

  it('names the topmost entity that was reached if its superior does not respond', async () => {
    const { entity, relyingParty, resolve } = aFederation();
    entity('anchor.example');
    const dead = anEntity('https://dead.example');
    const high = entity('high.example', [dead]);
    const low = entity('low.example', [high]);
    const { entity: leaf, token } = relyingParty([low]);
    const [path] = (await resolve(token, { rules: { maxPathLength: 3 } })).paths;
    expect(path).toMatchObject({
      entities: [leaf.id, low.id, high.id, dead.id],
      failedAt: { issuer: dead.id, subject: high.id },
    });
    expect(path?.statements.flatMap(({ checks }) => checks)).toEqual([]);
  });

  it('fetches no superior beyond a valid chain', async () => {
    const { entity, relyingParty, resolve, fetched } = aFederation();
    const anchor = entity('anchor.example');
    const org = entity('org.example', [anchor]);
    const { token } = relyingParty([anchor, org]);
    expect(chainOf(await resolve(token))).toEqual(['rp.example', 'anchor.example']);
    expect(fetched).not.toContain(subordinateAddress(anchor, org));
    await resolve(token, { isExhaustive: true });
    expect(fetched).toContain(subordinateAddress(anchor, org));
  });

  it('passes on errors that are not about the federation', async () => {
    const { entity, relyingParty, resolve, served } = aFederation();
    const anchor = entity('anchor.example');
    const { token } = relyingParty([anchor]);
    served.set(configurationAddress(anchor.id), () => Promise.reject(new RangeError('a mistake of ours')));
    await expect(resolve(token)).rejects.toThrow(RangeError);
  });

  it('chooses the shortest chain, then the anchor that is configured first, then by name, whatever the order of hints', async () => {
    const { entity, relyingParty, resolve, anchors } = aFederation();
    const first = entity('z-anchor.example');
    const second = entity('a-anchor.example');
    const near = entity('near.example', [second, first]);
    const other = entity('far.example', [first]);
    for (const superiors of [
      [near, other, second, first],
      [first, second, other, near],
    ]) {
      const { token } = relyingParty(superiors);
      expect(chainOf(await resolve(token, { isExhaustive: true }))).toEqual([
        'rp.example',
        'z-anchor.example',
      ]);
    }
    anchors.delete(second.id);
    for (const superiors of [
      [near, other],
      [other, near],
    ]) {
      const { token } = relyingParty(superiors);
      expect(chainOf(await resolve(token))).toEqual(['rp.example', 'far.example', 'z-anchor.example']);
    }
  });

  it('ends at the requested anchor, beyond another one if necessary', async () => {
    const { entity, relyingParty, resolve, anchors, join } = aFederation();
    const top = entity('top.example');
    const middle = entity('middle.example');
    join(middle, [top]);
    const { token } = relyingParty([middle]);
    expect(chainOf(await resolve(token))).toEqual(['rp.example', 'middle.example']);
    expect(chainOf(await resolve(token, { rules: { requestedAnchor: top.id } }))).toEqual([
      'rp.example',
      'middle.example',
      'top.example',
    ]);
    anchors.delete(top.id);
    expect(chainOf(await resolve(token, { rules: { requestedAnchor: top.id } }))).toBeUndefined();
  });

  it('treats a superior that is named twice as one', async () => {
    const { entity, relyingParty, resolve } = aFederation();
    const anchor = entity('anchor.example');
    entity('other.example');
    const { token } = relyingParty([anchor, anchor]);
    expect((await resolve(token, { isExhaustive: true })).paths).toHaveLength(1);
  });

  it('continues beyond an anchor only to find another one', async () => {
    const { entity, relyingParty, resolve, fetched, join, anchors } = aFederation();
    const top = entity('top.example');
    anchors.delete(top.id);
    const anchor = entity('anchor.example');
    join(anchor, [top]);
    const { token } = relyingParty([anchor]);
    expect((await resolve(token, { isExhaustive: true })).paths.map(({ trusted }) => trusted)).toEqual([
      true,
    ]);
    expect(fetched).toHaveLength(2);
  });

  it('finds every path of a diamond, and fetches no statement twice', async () => {
    const { entity, relyingParty, resolve, fetched } = aFederation();
    const anchor = entity('anchor.example');
    const [left, right] = [entity('left.example', [anchor]), entity('right.example', [anchor])];
    const low = entity('low.example', [left, right]);
    const { token } = relyingParty([low]);
    const resolution = await resolve(token, { isExhaustive: true });
    expect(resolution.paths.filter(({ trusted }) => trusted)).toHaveLength(2);
    expect(new Set(fetched).size).toBe(fetched.length);
    expect(resolution.fetches).toBe(fetched.length);
  });

  it('finds a valid path beside a loop', async () => {
    const { entity, relyingParty, resolve, join } = aFederation();
    const anchor = entity('anchor.example');
    const other = anEntity('https://other.example');
    const org = entity('org.example', [other, anchor]);
    join(other, [org]);
    const { entity: leaf, token } = relyingParty([org]);
    join(leaf, [leaf, org], { metadata: { openid_relying_party: {} } });
    const resolution = await resolve(token, { isExhaustive: true, rules: { maxPathLength: 3 } });
    expect(chainOf(resolution)).toEqual(['rp.example', 'org.example', 'anchor.example']);
    expect(reasonsOf(resolution)).toEqual(['loop']);
    expect(resolution.paths.find(({ reason }) => reason === 'loop')?.entities).toEqual([
      leaf.id,
      org.id,
      other.id,
      org.id,
    ]);
  });

  it('refuses an entity that has no superior', async () => {
    const { entity, relyingParty, resolve, fetched } = aFederation();
    entity('anchor.example');
    const { token } = relyingParty([]);
    const resolution = await resolve(token);
    expect(explainResolution(resolution)).toMatchObject({ trusted: false, reason: 'unknown_anchor' });
    expect(resolution.paths.map(({ reason, entities }) => [reason, entities])).toEqual([
      ['unknown_anchor', ['https://rp.example']],
    ]);
    expect(fetched).toEqual([]);
  });
});

describe('a cache of statements', () => {
  function aCache() {
    const kept = new Map<string, string>();
    let puts = 0;
    return {
      kept,
      get: async (address: string) => kept.get(address),
      puts: () => puts,
      put: async (address: string, statement: string) => {
        puts += 1;
        kept.set(address, statement);
      },
      takeRenewal: async () => true,
    };
  }

  it('saves every fetch but the first', async () => {
    const { entity, relyingParty, resolve, fetched } = aFederation();
    const anchor = entity('anchor.example');
    const org = entity('org.example', [anchor]);
    const { token } = relyingParty([org]);
    const cache = aCache();
    expect((await resolve(token, { cache })).fetches).toBe(4);
    const again = await resolve(token, { cache, limits: { maxFetches: 0 } });
    expect([again.fetches, chainOf(again)?.length, cache.puts()]).toEqual([0, 3, 4]);
    expect(fetched).toHaveLength(4);
  });

  it('keeps nothing that is malformed, unexpected or expired', async () => {
    const { entity, relyingParty, resolve, served, publish } = aFederation();
    const anchor = entity('anchor.example');
    const other = entity('other.example');
    const { token } = relyingParty([anchor]);
    const cache = aCache();
    for (const response of [
      'not a statement',
      publish(other),
      publish(anchor, { exp: NOW, iat: NOW - LIFETIME }),
    ]) {
      served.set(configurationAddress(anchor.id), response);
      await resolve(token, { cache });
      expect([...cache.kept.keys()]).not.toContain(configurationAddress(anchor.id));
    }
  });
});

it('an explanation is plain JSON, and is equal each time', async () => {
  const { entity, relyingParty, resolve } = aFederation();
  const anchor = entity('anchor.example');
  const { token } = relyingParty([entity('org.example', [anchor]), anEntity('https://dead.example')]);
  const explain = async () => explainResolution(await resolve(token, { isExhaustive: true }));
  const explanation = await explain();
  expect(JSON.parse(JSON.stringify(explanation))).toStrictEqual(explanation);
  expect(await explain()).toEqual(explanation);
  expect(explanation.paths.map(({ trusted }) => trusted)).toEqual([true, false]);
  expect(explanation.paths[0]?.statements).toHaveLength(4);
  for (const { checks } of explanation.paths[0]?.statements ?? [])
    expect(checks).toEqual(
      ['linked', 'superior_named', 'alive', 'constraints', 'signature'].map((check) => ({
        check,
        passed: true,
      })),
    );
});

it('an explanation names the failed check, the statement, and the reason of the path that progressed furthest', async () => {
  const { entity, relyingParty, resolve, publishAbout } = aFederation();
  const anchor = entity('anchor.example');
  const org = entity('org.example', [anchor]);
  const { entity: leaf, token } = relyingParty([anEntity('https://dead.example'), org]);
  publishAbout(org, leaf, { constraints: { naming_constraints: { excluded: ['rp.example'] } } });
  const explanation = explainResolution(await resolve(token));
  expect(explanation).toMatchObject({ trusted: false, reason: 'naming_constraints' });
  const failed = explanation.paths[0];
  expect(failed?.failedAt).toEqual({ issuer: org.id, subject: leaf.id });
  expect(failed?.statements.map(({ checks }) => checks.at(-1))).toEqual([
    { check: 'constraints', passed: true },
    { check: 'constraints', passed: false },
    { check: 'alive', passed: true },
    { check: 'alive', passed: true },
  ]);
});

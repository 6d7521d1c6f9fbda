import { describe, expect, it } from 'vitest';
import { configurationAddress } from '../entity-id.js';
import { anEntity, configurationClaims, signAs, type TestEntity } from '../testing/test-entity.js';
import { aFederation, subordinateAddress } from '../testing/test-federation.js';
import type { StatementCache } from './discovery-ports.js';

/** A cache without expiry. */
function aCache(): StatementCache {
  const kept = new Map<string, string>();
  return {
    get: async (address) => kept.get(address),
    put: async (address, statement) => {
      kept.set(address, statement);
    },
    takeRenewal: async () => true,
  };
}

/** A leaf below an intermediate, resolved once so that the cache contains every statement. */
async function aCachedFederation() {
  const federation = aFederation();
  const cache = aCache();
  const anchor = federation.entity('anchor.example');
  const org = federation.entity('org.example', [anchor]);
  const { entity: leaf, token } = federation.relyingParty([org]);
  const resolve = async (statement: string) => {
    const before = federation.fetched.length;
    const { chosen, paths } = await federation.resolve(statement, { cache });
    return { chosen, paths, fetched: federation.fetched.slice(before) };
  };
  expect((await resolve(token)).chosen).toBeDefined();
  const rolledOver = (entity: TestEntity) => anEntity(entity.id, `another key of ${entity.id}`);
  const request = (signer: TestEntity) =>
    signAs(
      signer,
      configurationClaims(signer, {
        authority_hints: [org.id],
        metadata: { openid_relying_party: { redirect_uris: ['https://rp.example/cb'] } },
      }),
    );
  return { ...federation, anchor, org, leaf, token, resolve, rolledOver, request };
}

describe('after a key rollover', () => {
  it('the statement of the superior is fetched again once before the entity is refused', async () => {
    const { org, leaf, publishAbout, resolve, rolledOver, request } = await aCachedFederation();
    const renewed = rolledOver(leaf);
    publishAbout(org, renewed);
    const { chosen, fetched } = await resolve(request(renewed));
    expect(chosen?.keys.get(leaf.id)?.usableKeys.map(({ kid }) => kid)).toEqual([renewed.kid]);
    expect(fetched).toEqual([subordinateAddress(org, leaf)]);
    expect((await resolve(request(renewed))).fetched).toEqual([]);
  });

  it('the statements of an intermediate and of its superior are fetched again as well', async () => {
    const { anchor, org, leaf, publishAbout, join, resolve, rolledOver, request } = await aCachedFederation();
    const [renewedOrg, renewedLeaf] = [rolledOver(org), rolledOver(leaf)];
    join(renewedOrg, [anchor]);
    publishAbout(renewedOrg, renewedLeaf);
    const { chosen, fetched } = await resolve(request(renewedLeaf));
    expect(chosen?.entities).toEqual([leaf.id, org.id, anchor.id]);
    expect(fetched.toSorted()).toEqual(
      [
        subordinateAddress(org, leaf),
        configurationAddress(org.id),
        subordinateAddress(anchor, org),
      ].toSorted(),
    );
  });

  it('an entity that no superior confirms is refused after one fetch, and without another one right after it', async () => {
    const { org, leaf, resolve, rolledOver, request } = await aCachedFederation();
    const { chosen, paths, fetched } = await resolve(request(rolledOver(leaf)));
    expect([chosen, paths[0]?.reason]).toEqual([undefined, 'key_id']);
    expect(fetched).toEqual([subordinateAddress(org, leaf)]);
    const uncached = aFederation();
    const anchor = uncached.entity('anchor.example');
    const { entity } = uncached.relyingParty([anchor]);
    const outsider = rolledOver(entity);
    const claims = configurationClaims(outsider, {
      authority_hints: [anchor.id],
      metadata: { openid_relying_party: {} },
    });
    expect((await uncached.resolve(signAs(outsider, claims))).chosen).toBeUndefined();
    expect(uncached.fetched).toEqual([configurationAddress(anchor.id), subordinateAddress(anchor, entity)]);
  });

  it('a cached statement remains valid while the superior is unreachable', async () => {
    const { org, leaf, token, served, resolve, rolledOver, request } = await aCachedFederation();
    served.delete(subordinateAddress(org, leaf));
    expect((await resolve(request(rolledOver(leaf)))).chosen).toBeUndefined();
    expect((await resolve(token)).chosen).toBeDefined();
  });
});

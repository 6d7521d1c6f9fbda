import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { followKeySet } from '../public-keys/followed-key-set.js';
import { parsePublicJwks } from '../public-keys/public-jwk-set.js';
import { es256, keyRingFixture, publishedSeconds } from '../testing/key-ring-fixture.js';
import { openKeyRing } from './key-ring.js';
import { activateSigningKey, addSigningKey, ensureSigningKey } from './signing-key-management.js';
import { keysOfBothServers, withoutOwnKeys } from './without-own-keys.js';

const aKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
const [THEIRS, OTHER] = [{ ...aKey(), kid: 'theirs' }, aKey()];

/** Our key ring, and another server that publishes one key and copies of ours. */
async function fixture() {
  const { clock, store, dependencies } = await keyRingFixture();
  await ensureSigningKey(dependencies, es256);
  let isDown = false;
  let ringReads = 0;
  const list: typeof store.list = async (...args) => {
    ringReads += 1;
    if (isDown) throw new Error('store is down');
    return dependencies.store.list(...args);
  };
  const ring = await openKeyRing({
    ...dependencies,
    store: { ...dependencies.store, list },
    keySet: 'provider',
  });
  let published: readonly object[] = [THEIRS];
  let reads = 0;
  const followed = followKeySet({
    read: async () => {
      reads += 1;
      return parsePublicJwks({ keys: published });
    },
    monotonic: () => 0,
  });
  const keys = withoutOwnKeys(followed, ring);
  const [own] = ring.publicJwks().keys;
  if (own?.kid === undefined) throw new TypeError('the ring has no key');
  const publish = async (...jwks: readonly object[]) => {
    published = jwks;
    await keys.refresh();
  };
  return {
    clock,
    dependencies,
    ring,
    keys,
    own: { ...own, kid: own.kid },
    publish,
    find: async (kid: string | undefined) => (await keys.verificationKeys({ alg: 'ES256', kid })).length,
    /** Replaces our key, which is kept for a limited time. */
    replace: async (keptSeconds: number) => {
      const { kid } = await addSigningKey(dependencies, es256);
      await activateSigningKey(dependencies, {
        keySet: 'provider',
        kid,
        publishedSeconds: keptSeconds,
        atOnce: true,
      });
      await ring.refresh();
    },
    reads: () => reads,
    ringReads: () => ringReads,
    fail: () => {
      isDown = true;
    },
  };
}

describe('the key set of another server without our keys', () => {
  it('has the keys of the other server, and no copy of ours in any state, whatever its kid', async () => {
    const { own, publish, find, ring, replace, clock } = await fixture();
    await publish(THEIRS, own, { ...own, kid: 'copy', alg: undefined, use: undefined });
    const found = async () => [await find('theirs'), await find(own.kid), await find('copy')];
    expect(await found()).toEqual([1, 0, 0]);
    await replace(publishedSeconds);
    expect(await ring.verificationKeys({ alg: 'ES256', kid: own.kid })).toHaveLength(1);
    expect(await found()).toEqual([1, 0, 0]);
    clock.advanceSeconds(publishedSeconds);
    expect(await ring.verificationKeys({ alg: 'ES256', kid: own.kid })).toEqual([]);
    expect(await found()).toEqual([1, 0, 0]);
    await ring.refresh();
    expect(ring.publicJwks().keys.map(({ kid }) => kid)).not.toContain(own.kid);
    expect(await found()).toEqual([1, 0, 0]);
  });

  it('has no copy of our key for a token without a kid', async () => {
    const { own, publish, find, replace } = await fixture();
    await publish({ ...own, kid: undefined });
    expect(await find(undefined)).toBe(0);
    await replace(0);
    expect(await find(undefined)).toBe(0);
    await publish({ ...THEIRS, kid: undefined });
    expect(await find(undefined)).toBe(1);
  });

  it('has no copy of a key of another set of ours', async () => {
    const { dependencies, publish, find, ring } = await fixture();
    const { publicJwk } = await addSigningKey(dependencies, { ...es256, keySet: 'federation' });
    await ring.refresh();
    await publish({ ...publicJwk, kid: 'copy' });
    expect(await find('copy')).toBe(0);
  });

  it('has no copy of a key that another process has just added', async () => {
    const { dependencies, publish, find } = await fixture();
    const { publicJwk } = await addSigningKey(dependencies, es256);
    await publish({ ...publicJwk, kid: 'copy' });
    expect(await find('copy')).toBe(0);
  });

  it('is not read for a token that names a key of ours', async () => {
    const { own, find, replace, reads } = await fixture();
    expect([await find(own.kid), reads()]).toEqual([0, 0]);
    await replace(0);
    expect([await find(own.kid), reads()]).toEqual([0, 0]);
  });

  it('is compared with our ring once after each change, and not for each token', async () => {
    const { clock, ring, keys, own, publish, ringReads } = await fixture();
    await publish(THEIRS);
    const signers = keysOfBothServers(ring, keys);
    const find = async (kid: string) => (await signers({ alg: 'ES256', kid })).length;
    expect(await find('theirs')).toBe(1);
    const reads = ringReads();
    for (let lookups = 0; lookups < 3; lookups += 1) {
      clock.advanceSeconds(60);
      expect([await find('theirs'), await find(own.kid)]).toEqual([1, 1]);
    }
    expect(ringReads()).toBe(reads);
    await publish({ ...OTHER, kid: 'theirs' });
    expect(await find('theirs')).toBe(1);
    expect(ringReads()).toBeGreaterThan(reads);
  });

  it('has no copy of our key that takes the place of a key of the other server', async () => {
    const { dependencies, ring, keys, publish, find } = await fixture();
    await publish(THEIRS);
    expect(await find('theirs')).toBe(1);
    expect(keys.isTheirs({ alg: 'ES256', kid: 'theirs' })).toBe(true);
    const { publicJwk } = await addSigningKey(dependencies, es256);
    await publish({ ...publicJwk, kid: 'theirs' });
    expect(keys.isTheirs({ alg: 'ES256', kid: 'theirs' })).toBe(false);
    expect(await find('theirs')).toBe(0);
    expect(keys.isTheirs({ alg: 'ES256', kid: 'theirs' })).toBe(false);
    expect(ring.hasEverHeld(String(publicJwk['kid']))).toBe(true);
  });

  it('does not decide about an unknown key while our ring cannot be read', async () => {
    const { find, fail, publish } = await fixture();
    await publish(THEIRS);
    fail();
    // Also within the interval in which our ring is not read again.
    for (let lookups = 0; lookups < 3; lookups += 1)
      await expect(find('theirs')).rejects.toThrow('store is down');
  });
});

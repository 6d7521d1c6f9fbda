import { generateKeyPairSync } from 'node:crypto';
import { DomainError } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import { describe, expect, it } from 'vitest';
import { signJwt } from '../jwt/sign-jwt.js';
import { verifyJwt } from '../jwt/verify-jwt.js';
import { parsePublicJwks } from './public-jwk-set.js';
import { createRemoteKeySets, type RemoteKeySetsOptions } from './remote-key-sets.js';

const ADDRESS = 'https://rp.example/jwks';
const FRESH_SECONDS = 600;
const USABLE_SECONDS = 1800;
const INTERVAL_SECONDS = 30;

const pairs = ['k1', 'k2'].map((kid) => ({ kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) }));

function setOf(...kids: readonly string[]) {
  const chosen = pairs.filter(({ kid }) => kids.includes(kid));
  const result = parsePublicJwks({
    keys: chosen.map(({ kid, publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), kid })),
  });
  if (!result.ok) throw new Error(result.reason);
  return result.jwks;
}

function tokenOf(kid: string) {
  const pair = pairs.find((candidate) => candidate.kid === kid);
  if (pair === undefined) throw new Error('no such pair');
  const key = { algorithm: 'ES256' as const, kid, key: pair.privateKey };
  return signJwt({ key, typ: 'JWT', claims: { sub: 'alice' } });
}

/** Key sets over a server whose document the test sets, with a list of the fetches. */
function fixture(options: Partial<RemoteKeySetsOptions> = {}) {
  const clock = frozenClock();
  const fetched: string[] = [];
  const served = { keySet: setOf('k1') as ReturnType<typeof setOf> | undefined };
  const fetch = async (address: string) => {
    fetched.push(address);
    await new Promise(setImmediate);
    return served.keySet;
  };
  const remote = createRemoteKeySets({ fetch, clock, ...options });
  const verify = async (token: string, address = ADDRESS) =>
    verifyJwt(token, {
      keys: remote.verificationKeys(address),
      algorithms: ['ES256'],
      types: ['JWT'],
      maxLength: 4096,
    });
  const kidsFor = async (kid: string | undefined, address = ADDRESS) =>
    (await remote.verificationKeys(address)({ alg: 'ES256', kid })).length;
  return { clock, fetched, served, remote, verify, kidsFor };
}

describe('createRemoteKeySets', () => {
  it('verifies with the keys at the URL, fetched once for all parallel callers', async () => {
    const { verify, fetched } = fixture();
    const token = await tokenOf('k1');
    const verified = await Promise.all(Array.from({ length: 50 }, () => verify(token)));
    expect(verified.map(({ claims }) => claims)).toEqual(Array(50).fill({ sub: 'alice' }));
    expect(fetched).toEqual([ADDRESS]);
  });

  it('fetches a URL again once its set is no longer fresh', async () => {
    const { clock, fetched, served, kidsFor } = fixture();
    expect(await kidsFor('k1')).toBe(1);
    clock.advanceSeconds(FRESH_SECONDS - 1);
    expect([await kidsFor('k1'), fetched.length]).toEqual([1, 1]);
    served.keySet = setOf('k2');
    clock.advanceSeconds(1);
    // The key was withdrawn, so its tokens are refused from now on.
    expect([await kidsFor('k1'), fetched.length]).toEqual([0, 2]);
    expect(await kidsFor('k2')).toBe(1);
  });

  it('finds a new key at once if the last fetch is long enough ago', async () => {
    const { clock, fetched, served, verify } = fixture();
    await verify(await tokenOf('k1'));
    served.keySet = setOf('k1', 'k2');
    clock.advanceSeconds(INTERVAL_SECONDS);
    await verify(await tokenOf('k2'));
    expect(fetched).toHaveLength(2);
  });

  // Anyone can send invented key ids, each of which would cause a request to a third party.
  it('fetches at most once in 30 seconds, however many unknown key ids tokens have', async () => {
    const { clock, fetched, kidsFor } = fixture();
    await kidsFor('k1');
    for (let second = 0; second < 90; second += 1) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => kidsFor(`unknown-${second}-${index}`)));
      expect(await kidsFor('k1')).toBe(1);
      clock.advanceSeconds(1);
    }
    expect(fetched).toHaveLength(3);
  });

  it('fetches again for a token without key id if no key has its algorithm', async () => {
    const { clock, fetched, served, kidsFor } = fixture();
    served.keySet = setOf();
    expect([await kidsFor(undefined), fetched.length]).toEqual([0, 1]);
    served.keySet = setOf('k1', 'k2');
    expect([await kidsFor(undefined), fetched.length]).toEqual([0, 1]);
    clock.advanceSeconds(INTERVAL_SECONDS);
    expect([await kidsFor(undefined), fetched.length]).toEqual([2, 2]);
  });

  it('fetches nothing for algorithms without public keys', async () => {
    const { fetched, remote } = fixture();
    for (const alg of ['HS256', 'none', 'dir', ''])
      expect(await remote.verificationKeys(ADDRESS)({ alg, kid: 'k1' })).toEqual([]);
    expect(fetched).toEqual([]);
  });

  it('has no keys if the set is unavailable, and does not fetch again for 30 seconds', async () => {
    const { clock, fetched, served, kidsFor, remote } = fixture();
    served.keySet = undefined;
    expect(await kidsFor('k1')).toBe(0);
    served.keySet = setOf('k1');
    clock.advanceSeconds(INTERVAL_SECONDS - 1);
    expect([await kidsFor('k1'), await remote.keySet(ADDRESS), fetched.length]).toEqual([0, undefined, 1]);
    clock.advanceSeconds(1);
    expect([await kidsFor('k1'), fetched.length]).toEqual([1, 2]);
  });

  it('uses the keys that it has while the URL is unavailable, up to their maximum age', async () => {
    const { clock, fetched, served, kidsFor } = fixture();
    await kidsFor('k1');
    served.keySet = undefined;
    clock.advanceSeconds(FRESH_SECONDS);
    for (let left = USABLE_SECONDS - FRESH_SECONDS; left > 0; left -= INTERVAL_SECONDS) {
      expect(await kidsFor('k1')).toBe(1);
      clock.advanceSeconds(INTERVAL_SECONDS);
    }
    expect(fetched.length).toBe(1 + (USABLE_SECONDS - FRESH_SECONDS) / INTERVAL_SECONDS);
    expect(await kidsFor('k1')).toBe(0);
    // Setting the clock back does not make them usable again.
    clock.advanceSeconds(-INTERVAL_SECONDS);
    expect(await kidsFor('k1')).toBe(0);
  });

  it('keeps its keys if a fetch for an unknown one fails', async () => {
    const { clock, served, kidsFor } = fixture();
    await kidsFor('k1');
    clock.advanceSeconds(INTERVAL_SECONDS);
    served.keySet = undefined;
    expect([await kidsFor('unknown'), await kidsFor('k1')]).toEqual([0, 1]);
  });

  it('fetches again after the clock was set back', async () => {
    const { clock, fetched, kidsFor } = fixture();
    await kidsFor('k1');
    clock.advanceSeconds(-3600);
    expect([await kidsFor('k1'), await kidsFor('unknown'), fetched.length]).toEqual([1, 0, 2]);
  });

  it('caches the configured number of URLs, and evicts the least recently used one', async () => {
    const { fetched, kidsFor } = fixture({ maxAddresses: 2 });
    for (const address of ['a', 'b', 'a', 'c', 'a', 'b']) expect(await kidsFor('k1', address)).toBe(1);
    expect(fetched).toEqual(['a', 'b', 'c', 'b']);
  });

  it('serves callers whose keys are cached while a fetch for others hangs', async () => {
    const clock = frozenClock();
    const responses = [Promise.resolve(setOf('k1')), new Promise<undefined>(() => {})];
    const remote = createRemoteKeySets({ clock, fetch: async () => responses.shift() });
    const source = remote.verificationKeys(ADDRESS);
    expect(await source({ alg: 'ES256', kid: 'k1' })).toHaveLength(1);
    clock.advanceSeconds(INTERVAL_SECONDS);
    const waiting = source({ alg: 'ES256', kid: 'k2' });
    expect(await source({ alg: 'ES256', kid: 'k1' })).toHaveLength(1);
    expect(await Promise.race([waiting, 'still waiting'])).toBe('still waiting');
  });

  it('passes on errors of a broken fetcher, and works again afterwards', async () => {
    const clock = frozenClock();
    let calls = 0;
    const remote = createRemoteKeySets({
      clock,
      fetch: async () => {
        calls += 1;
        if (calls === 1) throw new Error('a bug');
        return setOf('k1');
      },
    });
    await expect(remote.keySet(ADDRESS)).rejects.toThrow('a bug');
    expect(await remote.keySet(ADDRESS)).toBeUndefined();
    clock.advanceSeconds(INTERVAL_SECONDS);
    expect(await remote.keySet(ADDRESS)).toBeDefined();
  });

  it('uses the keys that it has while fetches are refused for overload, and fetches again afterwards', async () => {
    const clock = frozenClock();
    const overload = new DomainError('too_many_requests', 'no room');
    const responses = [setOf('k1'), overload, overload, setOf('k1', 'k2')];
    const fetch = async () => {
      const response = responses.shift();
      if (response instanceof DomainError) throw response;
      return response;
    };
    const remote = createRemoteKeySets({ clock, fetch });
    const kidsFor = async (kid: string) =>
      (await remote.verificationKeys(ADDRESS)({ alg: 'ES256', kid })).length;
    expect(await kidsFor('k1')).toBe(1);
    clock.advanceSeconds(FRESH_SECONDS);
    expect(await kidsFor('k1')).toBe(1);
    await expect(kidsFor('k2')).rejects.toBe(overload);
    expect(await kidsFor('k2')).toBe(1);
  });

  it('returns the whole set, and fetches once more if the caller does not accept it', async () => {
    const { clock, fetched, served, remote } = fixture();
    expect((await remote.keySet(ADDRESS))?.keys).toHaveLength(1);
    served.keySet = setOf('k1', 'k2');
    clock.advanceSeconds(INTERVAL_SECONDS);
    expect((await remote.keySet(ADDRESS))?.keys).toHaveLength(1);
    expect((await remote.keySet(ADDRESS, ({ keys }) => keys.length > 1))?.keys).toHaveLength(2);
    expect((await remote.keySet(ADDRESS, () => false))?.keys).toHaveLength(2);
    expect(fetched).toHaveLength(2);
  });

  it('uses the URL of the caller, whatever the header of a token points to', async () => {
    const { fetched, remote } = fixture();
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const evil = 'https://evil.example/keys';
    const header = {
      alg: 'ES256',
      typ: 'JWT',
      kid: evil,
      jku: evil,
      x5u: evil,
      jwk: { kty: 'EC' },
      x5c: ['MII'],
    };
    const token = `${encode(header)}.${encode({ sub: 'alice' })}.${Buffer.alloc(64, 1).toString('base64url')}`;
    const keys = remote.verificationKeys(ADDRESS);
    const options = { keys, algorithms: ['ES256' as const], types: ['JWT'], maxLength: 4096 };
    await expect(verifyJwt(token, options)).rejects.toMatchObject({ reason: 'key' });
    expect(fetched).toEqual([ADDRESS]);
  });
});

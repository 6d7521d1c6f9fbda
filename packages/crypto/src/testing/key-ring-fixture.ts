import { type FrozenClock, frozenClock } from '@vestibule/protocol/testing';
import { signJwt } from '../jwt/sign-jwt.js';
import { verifyJwt } from '../jwt/verify-jwt.js';
import { type KeyRing, openKeyRing } from '../signing-keys/key-ring.js';
import { memorySigningKeyStore } from './memory-key-stores.js';
import { openTestDataKeys } from './test-keys.js';

/** The signing key of most tests. */
export const es256 = { keySet: 'provider', use: 'sig', algorithm: 'ES256' } as const;
/** How long a retired key stays published. */
export const publishedSeconds = 3600;
/** How long copies of the published keys may be cached. */
export const cachedSeconds = 300;

/** An in-memory key set, and rings over it like those of several processes. */
export async function keyRingFixture(clock: FrozenClock = frozenClock()) {
  const { encryptor } = await openTestDataKeys(clock);
  const store = memorySigningKeyStore();
  let readings = 0;
  const counting = {
    ...store,
    list: (...args: Parameters<typeof store.list>) => {
      readings += 1;
      return store.list(...args);
    },
  };
  const dependencies = { store: counting, encryptor, clock };
  const open = (): Promise<KeyRing> => openKeyRing({ ...dependencies, keySet: 'provider' });
  return { clock, store, dependencies, open, readings: () => readings };
}

/** Signs a token with a ring. */
export const sign = (ring: KeyRing) =>
  signJwt({ key: ring.signingKey('ES256'), typ: 'JWT', claims: { sub: 'alice' } });
/** Verifies a token with the keys of a ring. */
export const verify = (ring: KeyRing, token: string) =>
  verifyJwt(token, { keys: ring.verificationKeys, algorithms: ['ES256'], types: ['JWT'], maxLength: 4096 });

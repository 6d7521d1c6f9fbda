import { secureRandom } from '@vestibule/crypto';
import { activateDataKey, addDataKey, retireDataKey, type WrappedDataKey } from '@vestibule/crypto/data-keys';
import {
  activateSigningKey,
  addSigningKey,
  retireSigningKey,
  type StoredSigningKey,
} from '@vestibule/crypto/signing-keys';
import { type ClientId, nowSeconds } from '@vestibule/protocol';
import { SECRET, type TestService } from './test-service.js';

/** Rotates the key of digests and cache tags, and the signing key, over and over. */
export interface KeyRotation {
  /**
   * Adds keys, or activates them, or retires the earlier ones, in this order. The clock must advance by a minute between two
   * calls.
   */
  next(): Promise<void>;
}

interface Keys {
  readonly digest: WrappedDataKey;
  readonly signing: StoredSigningKey;
}

const KEY_SET = 'provider';
const AT_ONCE = { keySet: KEY_SET, atOnce: true, publishedSeconds: 0 } as const;

/** Creates the rotation of a service, whose `rs1` keeps its secret. */
export function keyRotation(service: TestService): KeyRotation {
  const { database, keys } = service;
  const { clock } = service.deps;
  const { keyEncryptionKeys, dataKeys, keyRing, encryptor } = keys;
  const data = { store: database.dataKeys, keyEncryptionKeys, clock, random: secureRandom };
  const signing = { store: database.signingKeys, encryptor, clock };
  let earlier: Keys | undefined;
  let later: Keys | undefined;

  const present = async (): Promise<Keys> => {
    const digest = (await database.dataKeys.list()).find(
      ({ purpose, state }) => purpose === 'digest' && state === 'active',
    );
    const signingKey = (await database.signingKeys.list(KEY_SET, nowSeconds(clock))).find(
      ({ algorithm, state }) => algorithm === 'ES256' && state === 'active',
    );
    if (digest === undefined || signingKey === undefined) throw new TypeError('there are keys');
    return { digest, signing: signingKey };
  };
  /** Otherwise the caller could not authenticate once the earlier key is retired. */
  const storeSecretAgain = async () => {
    const caller = await database.clients.find('rs1' as ClientId);
    if (caller === undefined) throw new TypeError('there is a caller');
    const digest = service.deps.digester.digest('client-secret', SECRET);
    const secret = { digest, encrypted: 'sealed' };
    await database.clients.replace({ client: { ...caller, secret, version: caller.version + 1 } });
  };
  const add = async () => {
    earlier = await present();
    later = {
      digest: await addDataKey(data, 'digest'),
      signing: await addSigningKey(signing, { keySet: KEY_SET, use: 'sig', algorithm: 'ES256' }),
    };
  };
  const activate = async ({ digest, signing: { kid } }: Keys) => {
    await activateDataKey(data, digest.id);
    await activateSigningKey(signing, { ...AT_ONCE, kid, publishedSeconds: 86_400 });
    await Promise.all([dataKeys.refresh(), keyRing.refresh()]);
    await storeSecretAgain();
    later = undefined;
  };
  const retire = async ({ digest, signing: { kid } }: Keys) => {
    await retireDataKey(data, digest.id);
    await retireSigningKey(signing, { ...AT_ONCE, kid });
    await Promise.all([dataKeys.refresh(), keyRing.refresh()]);
    earlier = undefined;
  };
  return {
    next: async () => {
      if (later !== undefined) await activate(later);
      else if (earlier !== undefined) await retire(earlier);
      else await add();
    },
  };
}

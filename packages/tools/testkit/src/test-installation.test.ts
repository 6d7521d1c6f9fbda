import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { openStore } from '@vestibule/database';
import { systemClock } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it, onTestFinished } from 'vitest';
import { createTestInstallation, type TestInstallation } from './test-installation.js';

const KEY_PAIRS = { signingAlgorithms: ['ES256'], encryptionAlgorithms: ['ECDH-ES'] } as const;

/** Opens the store of an installation, with its public keys. */
async function opened({ url, encryptionKeys }: TestInstallation) {
  const store = openStore({
    connection: { url, poolSize: 1 },
    keyEncryptionKeys: parseKeyEncryptionKeys(encryptionKeys),
    clock: systemClock,
    random: secureRandom,
    onProblem: (error) => {
      throw error;
    },
  });
  onTestFinished(() => store.close());
  await store.opened;
  return store;
}

it('gives each test a separate database, whose stored keys are those of a first start', async () => {
  const [one, other] = [await createTestInstallation(KEY_PAIRS), await createTestInstallation(KEY_PAIRS)];
  onTestFinished(one.drop);
  onTestFinished(other.drop);
  expect(one.url).not.toBe(other.url);
  const [here, there] = [await opened(one), await opened(other)];
  const { keys } = here.providerKeys.publicJwks();
  expect(keys.map(({ alg }) => alg).toSorted()).toEqual(['ECDH-ES', 'ES256']);
  expect(there.providerKeys.publicJwks()).toEqual({ keys });
  const place = { table: 'client', column: 'secret', row: 'a' };
  const record = await here.encryptor.encrypt('text', place);
  expect(await there.encryptor.open(record, place)).toBe('text');
  expect(here.providerKeys.signingKey('ES256').kid).toBe(keys.find(({ alg }) => alg === 'ES256')?.kid);
});

it('creates the keys at the time of the clock', async () => {
  const clock = frozenClock();
  const { sql, drop } = await createTestInstallation(KEY_PAIRS, clock);
  onTestFinished(drop);
  const times = `SELECT created_at, activated_at FROM signing_key
    UNION ALL SELECT created_at, activated_at FROM data_key`;
  const time = new Date(clock.nowMs());
  expect(await sql(times)).toEqual(Array(4).fill({ created_at: time, activated_at: time }));
});

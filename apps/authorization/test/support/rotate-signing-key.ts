import { activateSigningKey, addSigningKey } from '@vestibule/crypto/signing-keys';
import { systemClock } from '@vestibule/protocol';
import type { TestApp } from './build-test-app.js';

/** Signs with a new key from now on. Returns its `kid`, and what the functions for signing keys need. */
export async function rotateSigningKey({ database, encryptor, providerKeys }: TestApp['store']) {
  const signing = { store: database.signingKeys, encryptor, clock: systemClock };
  const { kid } = await addSigningKey(signing, { keySet: 'provider', use: 'sig', algorithm: 'ES256' });
  await providerKeys.refresh();
  await activateSigningKey(signing, { keySet: 'provider', kid, publishedSeconds: 3600, atOnce: true });
  await providerKeys.refresh();
  return { kid, signing };
}

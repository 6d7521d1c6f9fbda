import { randomBytes } from 'node:crypto';
import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys, rewrapDataKeys } from '@vestibule/crypto/data-keys';
import { useDigestKeyUnder } from '@vestibule/crypto/testing';
import { systemClock } from '@vestibule/protocol';
import type { Environment } from '@vestibule/service/settings';
import { onTestFinished } from 'vitest';
import { demoInteraction } from '../../src/demo/demo-interaction.js';
import { DEFAULT_DEMO_USERS } from '../../src/demo/demo-users.js';
import { buildApp, composeAuthorization } from '../../src/index.js';
import { buildTestApp, openTestStore } from './build-test-app.js';

/**
 * Two instances, one of which writes under a digest key that the other cannot decrypt until it is wrapped anew. The
 * result of `before` is under the previous key, which both have.
 */
export async function instancesApart<Before>(
  before: (here: Awaited<ReturnType<typeof buildTestApp>>) => Promise<Before>,
  settings: Environment = {},
) {
  const here = await buildTestApp(settings, false, true);
  const [own, foreign] = [here.encryptionKeys, randomBytes(32).toString('base64url')];
  const made = await before(here);
  const { dataKeys } = here.store.database;
  await useDigestKeyUnder(foreign, { store: dataKeys, clock: systemClock });
  const keysOfThere = parseKeyEncryptionKeys(`${foreign},${own}`);
  const store = await openTestStore(here.config, { clock: systemClock, keyEncryptionKeys: keysOfThere });
  const interaction = demoInteraction(DEFAULT_DEMO_USERS);
  const there = buildApp(composeAuthorization(here.config, store, { interaction }), { logger: false });
  onTestFinished(() => there.close());
  await here.store.refreshDigestKeys();
  const rewrap = async () => {
    const keyEncryptionKeys = parseKeyEncryptionKeys(`${own},${foreign}`);
    await rewrapDataKeys({ store: dataKeys, keyEncryptionKeys, clock: systemClock, random: secureRandom });
    await here.store.refreshDigestKeys();
  };
  return { here, there, digesterOfThere: store.digester, made, rewrap };
}

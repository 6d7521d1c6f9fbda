import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { onTestFinished } from 'vitest';
import { buildApp, composeAuthorization } from '../../src/index.js';
import { openTestStore, type TestApp } from './build-test-app.js';

/** Starts another instance over the same database, with connections of its own, until the test ends. */
export async function anotherInstance({ config, clock }: Pick<TestApp, 'config' | 'clock'>) {
  const keyEncryptionKeys = config.ENCRYPTION_KEYS ?? parseKeyEncryptionKeys('');
  const store = await openTestStore(config, { clock, keyEncryptionKeys });
  const deps = composeAuthorization(config, store, { clock });
  const app = buildApp(deps, { logger: false });
  onTestFinished(() => app.close());
  return { app, deps };
}

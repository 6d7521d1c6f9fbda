import { randomBytes } from 'node:crypto';
import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { memoryLog } from '@vestibule/http/testing';
import { createTestDatabase } from '@vestibule/testkit';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Secret } from '../settings/secret.js';
import { openServiceStore } from './service-store.js';

it('warns an operator of a setting that does not fit that of another service over the same database', async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const settings = {
    DATABASE_URL: new Secret(url),
    DATABASE_POOL_SIZE: 2,
    ENCRYPTION_KEYS: parseKeyEncryptionKeys(randomBytes(32).toString('base64url')),
  };
  const open = async (name: string, issuer: string) => {
    const { logger, lines } = memoryLog();
    const { store, dependency } = openServiceStore({ name, settings, logger, agreed: { issuer } });
    onTestFinished(async () => dependency.close?.());
    await store.opened;
    return lines;
  };
  await open('registration', 'https://as.example');
  const lines = await open('introspection', 'https://other.example');
  await vi.waitFor(
    () =>
      expect(lines()).toContainEqual(
        expect.objectContaining({
          level: 'warn',
          dependency: 'store',
          msg: expect.stringContaining('a database belongs to one issuer'),
        }),
      ),
    60_000,
  );
});

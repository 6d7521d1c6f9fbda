import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { openStore } from '@vestibule/database';
import { systemClock } from '@vestibule/protocol';
import { createTestInstallation } from '@vestibule/testkit';
import { vestibule } from './vestibule.js';

/** Starts a database with keys, for commands and for checking their effects. */
export async function startInstallation(settings: Readonly<Record<string, string>> = {}) {
  const { url, sql, encryptionKeys: keys, drop } = await createTestInstallation();
  const store = openStore({
    connection: { url, poolSize: 2 },
    keyEncryptionKeys: parseKeyEncryptionKeys(keys),
    clock: systemClock,
    random: secureRandom,
    onProblem: (error) => {
      throw error;
    },
  });
  await store.opened;
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-cli-'));
  const environment = {
    BASE_URL: 'https://as.example.org',
    DATABASE_URL: url,
    ENCRYPTION_KEYS: keys,
    ...settings,
  };
  return {
    store,
    /** Environment of commands. */
    environment,
    /** Runs a command. */
    type: (args: readonly string[], input?: string) =>
      vestibule(args, { environment, ...(input !== undefined && { input }) }),
    /** Writes a file and returns its path. */
    file: async (name: string, content: string) => {
      const path = join(folder, name);
      await writeFile(path, content);
      return path;
    },
    /** Audit events in order: actor, action, target. */
    events: async (): Promise<readonly string[]> => {
      const rows = await sql(
        `SELECT concat_ws(' ', actor, action, target) AS event FROM audit_event ORDER BY id`,
      );
      return rows.map(({ event }) => String(event));
    },
    close: async () => {
      await store.close();
      await rm(folder, { recursive: true });
      await drop();
    },
  };
}

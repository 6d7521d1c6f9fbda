import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { secureRandom } from '@vestibule/crypto';
import { openDataKeys, parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { rotateDataKey } from '@vestibule/crypto/testing';
import { openDatabase } from '@vestibule/database';
import { foreignSql } from '@vestibule/local-services/testing';
import { frozenClock } from '@vestibule/protocol/testing';
import { createTestDatabase } from '@vestibule/testkit';
import { expect, it, onTestFinished } from 'vitest';

const CLIENTS = 40;
const FOLDER = fileURLToPath(new URL('..', import.meta.url));

/** An operator's command that hangs with a batch read, partly encrypted, and not yet written. */
const COMMAND = `
  import { secureRandom } from '@vestibule/crypto';
  import { openDataKeys, parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
  import { openDatabase } from '@vestibule/database';
  import { systemClock } from '@vestibule/protocol';
  const { DATABASE, KEYS } = process.env;
  const database = openDatabase({ url: DATABASE });
  const keys = await openDataKeys({
    store: database.dataKeys,
    keyEncryptionKeys: parseKeyEncryptionKeys(KEYS),
    clock: systemClock,
    random: secureRandom,
  });
  let count = 0;
  const encrypt = async (text, associatedData) => {
    count += 1;
    if (count < 25) return keys.encryptor.encrypt(text, associatedData);
    process.stdout.write('half');
    return new Promise(() => setInterval(() => {}, 1_000));
  };
  await database.reencrypt({ ...keys, encryptor: { ...keys.encryptor, encrypt } }, { batchSize: 10 });
`;

it('completes in the next run what a killed process left, and keeps its results', async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const database = openDatabase({ url });
  onTestFinished(() => database.close());
  const sql = await foreignSql(url);
  const clock = frozenClock();
  const text = randomBytes(32).toString('base64url');
  const keyEncryptionKeys = parseKeyEncryptionKeys(text);
  const dependencies = { store: database.dataKeys, keyEncryptionKeys, clock, random: secureRandom };
  const keys = await openDataKeys(dependencies);
  const associatedDataOf = (row: string) => ({ table: 'client', column: 'secret_sealed', row });
  for (let number = 0; number < CLIENTS; number += 1) {
    const id = `c${number}`;
    await sql(
      `INSERT INTO client (id, metadata, rights, issued_at, updated_at, secret_digest, secret_sealed)
        VALUES ($1, '{}', '', now(), now(), sha256('x'), $2)`,
      [id, await keys.encryptor.encrypt(`secret of ${id}`, associatedDataOf(id))],
    );
  }
  const earlier = keys.currentDataEncryptionKeyId();
  await rotateDataKey(dependencies, 'seal');
  await keys.refresh();

  const child = spawn(process.execPath, ['--input-type=module', '-e', COMMAND], {
    cwd: FOLDER,
    env: { PATH: process.env.PATH, DATABASE: url, KEYS: text },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), ended]);
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);

  const underEarlierKey = () =>
    sql(`SELECT id FROM client WHERE split_part(secret_sealed, '.', 2) = $1`, [earlier]);
  expect(await underEarlierKey()).toHaveLength(CLIENTS - 20);
  expect(await database.reencrypt(keys)).toEqual({ reencrypted: CLIENTS - 20, left: 0, unreadable: 0 });
  expect(await underEarlierKey()).toEqual([]);
  for (const { id, secret_sealed: record } of await sql('SELECT id, secret_sealed FROM client'))
    expect(await keys.encryptor.open(String(record), associatedDataOf(String(id)))).toBe(`secret of ${id}`);
});

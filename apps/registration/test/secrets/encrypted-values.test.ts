import { randomBytes } from 'node:crypto';
import { secureRandom } from '@vestibule/crypto';
import {
  activateDataKey,
  addDataKey,
  KeyEncryptionError,
  openDataKeys,
  parseKeyEncryptionKeys,
  rewrapDataKeys,
} from '@vestibule/crypto/data-keys';
import { foreignSql } from '@vestibule/local-services/testing';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { FAULT, information, pathOf, registered, registrationIn, send } from '../support/calls.js';
import { race } from '../support/race.js';

// An attacker who can write to the database must not be able to give one client the secret of another.
it('decrypts no value that was moved to another row or column, or changed', async () => {
  const { app, databaseUrl } = await buildTestApp();
  const sql = await foreignSql(databaseUrl);
  const one = await registered(app);
  const other = await registered(app);
  const path = pathOf(one.client_id);
  const read = () => send(app, `GET ${path}`, { token: MASTER });
  const before = information(await read());
  const [row] = await sql('SELECT secret_sealed, registration_token_sealed FROM client WHERE id = $1', [
    one.client_id,
  ]);
  const columns = ['secret_sealed', 'registration_token_sealed'] as const;
  const spoil = async (column: string, value: unknown) => {
    await sql(`UPDATE client SET ${column} = $2 WHERE id = $1`, [one.client_id, value]);
    expect(await read(), column).toEqual(FAULT);
  };
  for (const column of columns) {
    const own = String(row?.[column]);
    const [foreign] = await sql(`SELECT ${column} AS value FROM client WHERE id = $1`, [other.client_id]);
    await spoil(column, foreign?.['value']);
    await spoil(column, row?.[columns.find((each) => each !== column) ?? '']);
    for (let index = 0; index < own.length; index += 7)
      await spoil(column, `${own.slice(0, index)}${own[index] === 'A' ? 'B' : 'A'}${own.slice(index + 1)}`);
    for (const value of ['', 'x', own.slice(0, -1), `${own}A`, own.replace('v1', 'v2')])
      await spoil(column, value);
    await sql(`UPDATE client SET ${column} = $2 WHERE id = $1`, [one.client_id, own]);
  }
  expect(information(await read())).toEqual(before);
});

/** Registers, reads, changes and deletes in parallel on several instances; returns every status other than 2xx. */
async function failuresUnderLoad(
  instances: Parameters<typeof race>[0],
  count: number,
): Promise<readonly number[]> {
  const responses = await race(instances, count, async (app) => {
    const client = await registered(app);
    const path = pathOf(client.client_id);
    const read = information(await send(app, `GET ${path}`, { token: client.registration_access_token }));
    const changed = await send(app, `PUT ${path}`, { token: MASTER, body: read });
    const { registration_access_token: token } = information(changed);
    return send(app, `DELETE ${path}`, { token });
  });
  return responses.map(({ status }) => status).filter((status) => status !== 204);
}

it('serves every request while keys are added, activated and wrapped again, after which the old ones are not needed', async () => {
  const service = await buildTestApp();
  const { clock, databaseUrl, keys } = service;
  const sql = await foreignSql(databaseUrl);
  const kept = await registered(service.app);
  const dependencies = (text: string) => ({
    store: service.store.database.dataKeys,
    keyEncryptionKeys: parseKeyEncryptionKeys(text),
    clock,
    random: secureRandom,
  });
  // A new data key is added, read by all, and activated; processes with and without it run side by side.
  const added = await addDataKey(dependencies(keys), 'seal');
  clock.advanceSeconds(60);
  const [failed] = await Promise.all([
    failuresUnderLoad([service], 40),
    activateDataKey(dependencies(keys), added.id),
  ]);
  expect(failed).toEqual([]);
  const later = await service.anotherInstance();
  expect(await failuresUnderLoad([service, later], 40)).toEqual([]);
  const fresh = await registered(later.app);
  const [encrypted] = await sql('SELECT secret_sealed FROM client WHERE id = $1', [fresh.client_id]);
  expect(String(encrypted?.['secret_sealed'])).toContain(`.${added.id}.`);
  // A new key-encryption key: all processes have both, then every data key is wrapped under it, then only it remains.
  const next = randomBytes(32).toString('base64url');
  const both = await service.anotherInstance({ ENCRYPTION_KEYS: `${next},${keys}` });
  const [again] = await Promise.all([
    failuresUnderLoad([service, both], 40),
    rewrapDataKeys(dependencies(`${next},${keys}`)),
  ]);
  expect(again).toEqual([]);
  const ids = await sql('SELECT DISTINCT key_encryption_key_id FROM data_key');
  expect(ids).toHaveLength(1);
  const last = await service.anotherInstance({ ENCRYPTION_KEYS: next });
  expect(await failuresUnderLoad([both, last], 40)).toEqual([]);
  for (const client of [kept, fresh])
    expect(
      registrationIn(await send(last.app, `GET ${pathOf(client.client_id)}`, { token: MASTER })),
    ).toEqual(client);
  await expect(openDataKeys(dependencies(keys))).rejects.toThrow(KeyEncryptionError);
});

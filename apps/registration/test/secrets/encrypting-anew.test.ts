import { previousSecretAssociatedData } from '@vestibule/clients/associated-data';
import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { rotateDataKey } from '@vestibule/crypto/testing';
import { foreignSql } from '@vestibule/local-services/testing';
import { type ClientId, nowSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { information, pathOf, registered, registrationIn, send } from '../support/calls.js';
import { cuttingProxy } from '../support/cutting-proxy.js';
import { race } from '../support/race.js';

const CLIENTS = 60;

/** Every encrypted record of registrations and of the provider's keys. */
const RECORDS = `
  SELECT secret_sealed AS record FROM client UNION ALL SELECT registration_token_sealed FROM client
  UNION ALL SELECT sealed FROM earlier_client_secret UNION ALL SELECT sealed FROM remembered_answer
  UNION ALL SELECT private_jwk_sealed FROM signing_key`;

it('fails no request while everything is encrypted anew over unreliable connections, after which the previous key is not needed', async () => {
  const service = await buildTestApp();
  const { app, clock, databaseUrl, keys, store } = service;
  const sql = await foreignSql(databaseUrl);
  const kept = await registered(app);
  const once = { token: MASTER, body: {}, headers: { 'idempotency-key': '"again"' } };
  const firstResponse = await send(app, 'POST /clients', once);
  for (let count = 1; count < CLIENTS; count += 1) await registered(app);
  const changed = await send(app, `PUT ${pathOf(kept.client_id)}`, { token: MASTER, body: kept });
  const [before] = await sql(`SELECT id FROM data_key WHERE purpose = 'seal'`);
  const underEarlierKey = async () => {
    const records = await sql(
      `SELECT record FROM (${RECORDS}) all_records WHERE split_part(record, '.', 2) = $1`,
      [before?.['id']],
    );
    return records.length;
  };

  const dependencies = {
    store: store.database.dataKeys,
    keyEncryptionKeys: parseKeyEncryptionKeys(keys),
    clock,
    random: secureRandom,
  };
  await rotateDataKey(dependencies, 'seal');
  expect(await underEarlierKey()).toBeGreaterThan(2 * CLIENTS);

  // Another process encrypts anew, and its connections are cut before statements and before responses.
  const proxy = await cuttingProxy(databaseUrl);
  const operator = await service.anotherInstance({ DATABASE_URL: proxy.url });
  const load = race([service, await service.anotherInstance()], 60, async (instance) => {
    const client = await registered(instance);
    const path = pathOf(client.client_id);
    const read = information(
      await send(instance, `GET ${path}`, { token: client.registration_access_token }),
    );
    const { registration_access_token: token } = information(
      await send(instance, `PUT ${path}`, { token: MASTER, body: read }),
    );
    return send(instance, `DELETE ${path}`, { token });
  });
  for (const cut of ['before the statement', 'before the response'] as const) {
    proxy.cutNext(cut);
    expect((await operator.store.reencrypt({ batchSize: 7 })).unreadable).toBe(0);
  }
  expect(new Set((await load).map(({ status }) => status))).toEqual(new Set([204]));
  // Every process has read the keys by now, and nothing changes them.
  await Promise.all([service.store.reencrypt(), operator.store.reencrypt()]);
  expect(await store.reencrypt()).toEqual({ reencrypted: 0, left: 0, unreadable: 0 });
  expect(await underEarlierKey()).toBe(0);

  await sql('DELETE FROM data_key WHERE id = $1', [before?.['id']]);
  const later = await service.anotherInstance();
  const read = await send(later.app, `GET ${pathOf(kept.client_id)}`, { token: MASTER });
  expect(registrationIn(read)).toEqual(information(changed));
  expect(await send(later.app, 'POST /clients', once)).toEqual(firstResponse);
  const id = kept.client_id as ClientId;
  const [previous] = await later.store.database.clients.previousSecrets(id, nowSeconds(clock));
  expect(await later.store.encryptor.open(previous?.encrypted ?? '', previousSecretAssociatedData(id))).toBe(
    kept.client_secret,
  );
});

import { secretHashAssociatedData } from '@vestibule/clients/associated-data';
import { foreignSql } from '@vestibule/local-services/testing';
import type { ClientId } from '@vestibule/protocol';
import { expect, it, vi } from 'vitest';
import { aCachedInstance, aTimedService } from '../support/cached-instance.js';
import { activeMembers, basic, call } from '../support/introspection-call.js';
import { SECRET } from '../support/test-service.js';

/** Of `hunter2`. */
const HASH = '$2b$04$VMhI7ZihcyUX/0/I5nZBpe.JbUtf9PQfU1t5/YudeSFmxEfSyZPJ6';

const MOVE = `UPDATE client SET secret_digest = NULL, secret_sealed = NULL, secret_hash_sealed = $1, version = version + 1
  WHERE id = 'rs1'`;

it('follows on every instance a client from a hash to a secret, and to another secret', async () => {
  const service = await aTimedService();
  const sql = await foreignSql(service.databaseUrl);
  const instances = [await aCachedInstance(service), await aCachedInstance(service)];
  const token = await service.identifier();
  const settleCaches = async () => {
    for (const { cache } of instances) await cache.states.settle();
  };
  const introspect = async (secret: string) => {
    const responses = [];
    for (const { app } of instances)
      responses.push(await call(app, { token }, { authorization: basic('rs1', secret) }));
    return responses;
  };
  const accepted = async (secret: string) => {
    for (const response of await introspect(secret)) activeMembers(response);
  };
  const refused = async (secret: string) => {
    for (const { status } of await introspect(secret)) expect(status).toBe(401);
  };
  for (let round = 0; round < 2; round += 1) await accepted(SECRET);

  await sql(MOVE, [await service.keys.encryptor.encrypt(HASH, secretHashAssociatedData('rs1' as ClientId))]);
  await settleCaches();
  await refused(SECRET);
  await refused('hunter3');
  for (let round = 0; round < 3; round += 1) await accepted('hunter2');
  await refused(SECRET);

  await settleCaches();
  for (let round = 0; round < 3; round += 1) await accepted('hunter2');
  const replaced = service.deps.digester.digest('client-secret', 'replaced');
  await sql(`UPDATE client SET secret_digest = $1 WHERE id = 'rs1'`, [replaced]);
  await settleCaches();
  await refused('hunter2');
  await accepted('replaced');
});

// The hash is verified once; from then on the caller is as fast as any other.
it('caches a caller from its second request on, without reading Postgres', async () => {
  const service = await aTimedService();
  const sql = await foreignSql(service.databaseUrl);
  const { app, cache, database } = await aCachedInstance(service);
  const token = await service.identifier();
  await sql(MOVE, [await service.keys.encryptor.encrypt(HASH, secretHashAssociatedData('rs1' as ClientId))]);
  await cache.states.settle();
  const introspect = () => call(app, { token }, { authorization: basic('rs1', 'hunter2') });
  activeMembers(await introspect());
  await cache.states.settle();
  activeMembers(await introspect());
  expect((await database.clients.find('rs1' as ClientId))?.secretHash).toBeUndefined();
  const reads = vi.spyOn(database.clients, 'find');
  for (let round = 0; round < 3; round += 1) activeMembers(await introspect());
  expect(reads).not.toHaveBeenCalled();
});

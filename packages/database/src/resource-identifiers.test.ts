import type { Client } from '@vestibule/clients';
import { describe, expect, it } from 'vitest';
import { aClient, anId, NOW, twoProcesses } from './testing/fixtures.js';
import { countRows, query } from './testing/test-database.js';

const API = 'https://api.example/v1';

function named(id: string, resource_identifiers?: readonly string[]): Client {
  const client = aClient({ id: anId(id) });
  const { resource_identifiers: _, ...metadata } = client.metadata;
  return {
    ...client,
    metadata: { ...metadata, ...(resource_identifiers && { resource_identifiers }) } as Client['metadata'],
  };
}

const next = (client: Client): Client => ({ ...client, version: client.version + 1 });
const taken = (index: number) =>
  expect.objectContaining({
    code: 'invalid_client_metadata',
    description: `resource_identifiers[${index}]: must not be the name of another client`,
  });

describe('a resource identifier', () => {
  it('finds its client, with or without a trailing slash, and no other', async () => {
    const { one, other } = await twoProcesses();
    const client = named('api', [API, 'https://files.example/']);
    expect(await one.clients.create(client)).toBe('created');
    for (const name of [API, `${API}/`, 'https://files.example', 'https://files.example/'])
      expect((await other.clients.findByResourceIdentifier(name))?.id, name).toBe('api');
    for (const name of ['', 'api', `${API}/items`, `${API}//`, 'HTTPS://api.example/v1'])
      expect(await other.clients.findByResourceIdentifier(name), name).toBeUndefined();
  });

  it('belongs to one client, with or without a trailing slash, and a rejected change has no effect', async () => {
    const { url, one, other } = await twoProcesses();
    await one.clients.create(named('api', [API]));
    for (const name of [API, `${API}/`])
      await expect(other.clients.create(named('other', ['https://free.example', name]))).rejects.toEqual(
        taken(1),
      );
    expect(await countRows(url, 'client')).toBe(1);
    expect(await countRows(url, 'client_resource_identifier')).toBe(1);
    expect(await other.clients.create(named('other', ['https://free.example', `${API}/items`]))).toBe(
      'created',
    );
    await expect(other.clients.replace({ client: next(named('other', [`${API}/`])) })).rejects.toEqual(
      taken(0),
    );
    expect((await one.clients.findByResourceIdentifier('https://free.example'))?.id).toBe('other');
  });

  it('is deleted by an update that leaves it out, and with its client', async () => {
    const { url, one } = await twoProcesses();
    const client = named('api', [API, 'https://old.example']);
    await one.clients.create(client);
    const changed = next(named('api', [`${API}/`, 'https://new.example']));
    expect(await one.clients.replace({ client: changed })).toBe(true);
    expect(await one.clients.findByResourceIdentifier('https://old.example')).toBeUndefined();
    expect((await one.clients.findByResourceIdentifier(API))?.version).toBe(2);
    expect(await one.clients.create(named('heir', ['https://old.example']))).toBe('created');
    expect(await one.clients.replace({ client: next(next(named('api'))) })).toBe(true);
    expect(await one.clients.findByResourceIdentifier(API)).toBeUndefined();
    await one.clients.delete(anId('heir'), NOW);
    expect(await countRows(url, 'client_resource_identifier')).toBe(0);
  });

  it('is never the client_id of another client, whichever exists first', async () => {
    const { one, other } = await twoProcesses();
    await one.clients.create(named('https://entity.example/'));
    await one.clients.create(named('urn:entity'));
    for (const name of ['https://entity.example', 'https://entity.example/', 'urn:entity'])
      await expect(other.clients.create(named('api', [name])), name).rejects.toEqual(taken(0));
    expect(await one.clients.create(named('api', [API]))).toBe('created');
    for (const id of [API, `${API}/`]) expect(await other.clients.create(named(id)), id).toBe('id_taken');
    expect(await one.clients.create(named('https://own.example', ['https://own.example']))).toBe('created');
  });

  it('is assigned to exactly one of parallel registrations and updates', async () => {
    const { url, one, other } = await twoProcesses();
    const updated = [named('old-1'), named('old-2')];
    for (const client of updated) await one.clients.create(client);
    for (let round = 0; round < 10; round += 1) {
      const name = `https://api-${round}.example`;
      const names = [`${name}/`, `https://z-${round}.example`];
      const clients = (index: number) => (index % 2 === 0 ? one : other).clients;
      const attempts = await Promise.allSettled([
        ...Array.from({ length: 6 }, (_, index) =>
          clients(index).create(named(`new-${round}-${index}`, index % 2 === 0 ? names : names.toReversed())),
        ),
        clients(0).create(named(name)),
        ...updated.map((client, index) =>
          clients(index).replace({
            client: { ...named(client.id, [name]), version: 2 + round },
          }),
        ),
      ]);
      const won = attempts.filter(
        (attempt) => attempt.status === 'fulfilled' && ['created', true].includes(attempt.value),
      );
      expect(won, JSON.stringify(attempts)).toHaveLength(1);
      await query(url, `DELETE FROM client WHERE id NOT LIKE 'old-%'`);
      await query(
        url,
        `UPDATE client SET metadata = metadata - 'resource_identifiers', version = ${2 + round}`,
      );
    }
  });
});

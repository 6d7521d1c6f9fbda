import type { ClientId } from '@vestibule/protocol';
import { expect, it, vi } from 'vitest';
import { aCachedInstance, aTimedService } from '../support/cached-instance.js';
import { activeMembers, basic, call, INACTIVE } from '../support/introspection-call.js';
import { ACCEPT, openResponse } from '../support/signed-response.js';
import { aTestService } from '../support/test-service.js';

const API = 'https://api.example/v1';
const NAMED = { resource_identifiers: [API, 'https://files.example/'] };
const AS_API = { authorization: basic('api') };

it('is active for a resource server by its resource identifier in the audience, with or without a trailing slash', async () => {
  const service = await aTestService();
  await service.register('api', NAMED);
  for (const kind of ['identifier', 'jwt'] as const) {
    for (const name of [API, `${API}/`, 'https://files.example', 'https://files.example/']) {
      const token = await service[kind]({ audience: [name] });
      expect(activeMembers(await call(service.app, { token }, AS_API))['aud'], name).toEqual([name]);
      expect(await call(service.app, { token }), name).toEqual(INACTIVE);
    }
    for (const name of [`${API}/items`, 'https://api.example', `${API}//`, API.toUpperCase()]) {
      const token = await service[kind]({ audience: [name] });
      expect(await call(service.app, { token }, AS_API), name).toEqual(INACTIVE);
    }
  }
});

it("returns only the caller's own names, as in the token (introspection/API.md#response)", async () => {
  const service = await aTestService();
  await service.register('api', NAMED);
  const token = await service.identifier({
    audience: ['rs1', `${API}/`, 'https://other.example', 'api'],
  });
  expect(activeMembers(await call(service.app, { token }, AS_API))['aud']).toEqual([`${API}/`, 'api']);
  expect(activeMembers(await call(service.app, { token }))['aud']).toEqual(['rs1']);
  const signed = await call(service.app, { token }, { ...AS_API, headers: { accept: ACCEPT.jwt } });
  const { claims } = await openResponse(service, signed.body);
  expect(claims).toMatchObject({ aud: 'api', token_introspection: { aud: [`${API}/`, 'api'] } });
});

it('consumes a token only for the resource server in its audience', async () => {
  const service = await aTestService();
  await service.register('api', NAMED);
  const token = await service.identifier({ audience: [`${API}/`] });
  expect(await call(service.app, { token, revoke: 'true' })).toEqual(INACTIVE);
  activeMembers(await call(service.app, { token, revoke: 'true' }, AS_API));
  expect(await call(service.app, { token }, AS_API)).toEqual(INACTIVE);
});

it('stops using a resource identifier as soon as it is removed from the registration, on an instance that caches callers', async () => {
  const service = await aTimedService();
  await service.register('api', NAMED);
  const { app } = await aCachedInstance(service);
  const token = await service.identifier({ audience: [API] });
  for (let round = 0; round < 3; round += 1) activeMembers(await call(app, { token }, AS_API));
  const client = await service.database.clients.find('api' as ClientId);
  if (client === undefined) throw new Error('not registered');
  const { resource_identifiers: _, ...metadata } = client.metadata;
  const unnamed = { ...client, version: 2, metadata: metadata as typeof client.metadata };
  expect(await service.database.clients.replace({ client: unnamed })).toBe(true);
  await vi.waitFor(async () => expect(await call(app, { token }, AS_API)).toEqual(INACTIVE), 60_000);
});

import { expect, it } from 'vitest';
import { automaticWorld } from '../support/automatic-world.js';

it('logs the refused entity and the reason, at a bounded length, and nothing of the request', async () => {
  const world = await automaticWorld();
  const { intermediates, anchor } = world.federation;
  const spoilt = await world.member();
  intermediates[0].behaviour.subordinates.set(spoilt.entity.id, {
    spoil: (token) => `${token.slice(0, -4)}AAAA`,
  });
  await expect(world.register(spoilt)).rejects.toMatchObject({ code: 'unauthorized_client' });
  const outside = await world.member({ client_registration_types: ['explicit'] });
  await expect(world.register(outside)).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  const registrationRequest = await world.registrationRequest(outside);
  const clientId = `${outside.entity.id}/${'a'.repeat(1_000)}`;
  await expect(world.automatic.register({ ...registrationRequest, clientId })).rejects.toThrow();
  expect(world.refusals).toEqual([
    {
      entity: spoilt.entity.id,
      reason: 'signature',
      detail: `signature: signature does not verify (statement of ${intermediates[0].id} about ${spoilt.entity.id})`,
    },
    { entity: outside.entity.id, reason: 'invalid_client_metadata', detail: expect.any(String) },
    { entity: clientId.slice(0, 200), reason: expect.any(String), detail: expect.any(String) },
  ]);
  const told = JSON.stringify(world.refusals);
  expect(told).not.toContain('eyJ');
  expect(told).not.toContain(anchor.id);
});

import { expect, it } from 'vitest';
import { createAutomaticFixture } from '../support/automatic-fixture.js';

it('logs the refused entity and the reason, at a bounded length, and nothing of the request', async () => {
  const fixture = await createAutomaticFixture();
  const { intermediates, anchor } = fixture.federation;
  const spoilt = await fixture.member();
  intermediates[0].behaviour.subordinates.set(spoilt.entity.id, {
    spoil: (token) => `${token.slice(0, -4)}AAAA`,
  });
  await expect(fixture.register(spoilt)).rejects.toMatchObject({ code: 'unauthorized_client' });
  const outside = await fixture.member({ client_registration_types: ['explicit'] });
  await expect(fixture.register(outside)).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  const registrationRequest = await fixture.registrationRequest(outside);
  const clientId = `${outside.entity.id}/${'a'.repeat(1_000)}`;
  await expect(fixture.automatic.register({ ...registrationRequest, clientId })).rejects.toThrow();
  expect(fixture.refusals).toEqual([
    {
      entity: spoilt.entity.id,
      reason: 'signature',
      detail: `signature: signature does not verify (statement of ${intermediates[0].id} about ${spoilt.entity.id})`,
    },
    { entity: outside.entity.id, reason: 'invalid_client_metadata', detail: expect.any(String) },
    { entity: clientId.slice(0, 200), reason: expect.any(String), detail: expect.any(String) },
  ]);
  const logged = JSON.stringify(fixture.refusals);
  expect(logged).not.toContain('eyJ');
  expect(logged).not.toContain(anchor.id);
});

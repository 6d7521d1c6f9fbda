import { expect, it } from 'vitest';
import { ISSUER, startFederation } from '../support/test-federation.js';

it('treats null metadata members in any statement of the chain as absent', async () => {
  const world = await startFederation();
  const { anchor, intermediates } = world;
  for (const entity of [anchor, ...intermediates]) {
    Object.assign(entity.metadata['federation_entity'] ?? {}, { contacts: null, organization_name: null });
    Object.assign(entity.metadata, { openid_provider: null });
  }
  const own = { client_registration_types: null, contacts: null };
  anchor.vouchFor(intermediates[0], {
    metadata: { federation_entity: { logo_uri: null }, openid_provider: null },
  });
  const member = await world.relyingParty({ metadata: own });
  intermediates[0].vouchFor(member, { metadata: { openid_relying_party: { client_name: null } } });
  const response = await world.register(await world.registrationRequest(member, ISSUER));
  expect(response, response.body).toMatchObject({ status: 200 });
  expect(await world.clients()).toMatchObject([{ metadata: { client_name: 'Small relying party' } }]);
});

import { expect, it } from 'vitest';
import { ISSUER, startFederation } from '../support/test-federation.js';

it('treats null metadata members in any statement of the chain as absent', async () => {
  const fixture = await startFederation();
  const { anchor, intermediates } = fixture;
  for (const entity of [anchor, ...intermediates]) {
    Object.assign(entity.metadata['federation_entity'] ?? {}, { contacts: null, organization_name: null });
    Object.assign(entity.metadata, { openid_provider: null });
  }
  const own = { client_registration_types: null, contacts: null };
  anchor.vouchFor(intermediates[0], {
    metadata: { federation_entity: { logo_uri: null }, openid_provider: null },
  });
  const member = await fixture.relyingParty({ metadata: own });
  intermediates[0].vouchFor(member, { metadata: { openid_relying_party: { client_name: null } } });
  const response = await fixture.register(await fixture.registrationRequest(member, ISSUER));
  expect(response, response.body).toMatchObject({ status: 200 });
  expect(await fixture.clients()).toMatchObject([{ metadata: { client_name: 'Small relying party' } }]);
});

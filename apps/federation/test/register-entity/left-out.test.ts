import { describe, expect, it } from 'vitest';
import { ISSUER, MASTER, send, signedResponse, startFederation } from '../support/test-federation.js';

const JOSE = 'application/jose';
const RP = 'openid_relying_party';

/** The policies of a registration statement of the draft profile. */
function policiesOf(response: Parameters<typeof signedResponse>[0]): Record<string, unknown> {
  const policy = signedResponse(response).claims['metadata_policy'] as unknown as Record<string, object>;
  return { ...policy[RP] };
}

/** The metadata of an explicit registration response. */
function metadataOf(response: Parameters<typeof signedResponse>[0]): Record<string, unknown> {
  const metadata = signedResponse(response).claims['metadata'] as unknown as Record<string, object>;
  return { ...metadata[RP] };
}

describe('leaving values out of a registration', () => {
  it('omits scope values that the anchor does not allow, which the response shows in both profiles', async () => {
    const settings = () => ({ FEDERATION_RIGHTS: 'client-reg:scope:openid client-reg:scope:read' });
    const fixture = await startFederation({ settings });
    const member = await fixture.relyingParty({ metadata: { scope: 'openid admin read' } });
    const draft = await fixture.register(await fixture.registrationRequest(member, ISSUER), JOSE);
    expect(policiesOf(draft)).toMatchObject({ scope: { value: 'openid read' } });
    fixture.clock.advanceSeconds(1);
    const final = await fixture.register(await fixture.registrationRequest(member, ISSUER));
    expect(metadataOf(final)).toMatchObject({ scope: 'openid read' });
    expect(await fixture.clients()).toMatchObject([{ metadata: { scope: 'openid read' } }]);
  });

  it('keeps the scope values of open registration under any anchor', async () => {
    for (const rules of [{}, { FEDERATION_RIGHTS: 'client-reg:scope:read' }]) {
      const fixture = await startFederation({
        settings: () => ({ OPEN_REGISTRATION_SCOPES: 'openid email', ...rules }),
      });
      const member = await fixture.relyingParty({ metadata: { scope: 'openid email read admin' } });
      const response = await fixture.register(await fixture.registrationRequest(member, ISSUER));
      const scope = 'FEDERATION_RIGHTS' in rules ? 'openid email read' : 'openid email';
      expect(metadataOf(response)).toMatchObject({ scope });
    }
  });

  it('omits the whole scope if none of it is allowed', async () => {
    const fixture = await startFederation();
    const member = await fixture.relyingParty({ metadata: { scope: 'admin' } });
    const draft = await fixture.register(await fixture.registrationRequest(member, ISSUER), JOSE);
    expect(policiesOf(draft)).toMatchObject({ scope: { value: null } });
    fixture.clock.advanceSeconds(1);
    const final = await fixture.register(await fixture.registrationRequest(member, ISSUER));
    expect(metadataOf(final)).not.toHaveProperty('scope');
  });

  it('omits members that a superior removes, which the draft profile shows with the value null', async () => {
    const fixture = await startFederation();
    const member = await fixture.relyingParty({
      metadata: { logo_uri: 'https://rp.example/l.png', unknown: 1 },
    });
    fixture.anchor.vouchFor(fixture.intermediates[0], {
      metadata_policy: { [RP]: { logo_uri: { value: null }, client_name: { value: 'Named' } } },
    });
    const draft = await fixture.register(await fixture.registrationRequest(member, ISSUER), JOSE);
    expect(policiesOf(draft)).toMatchObject({ logo_uri: { value: null }, client_name: { value: 'Named' } });
    expect(policiesOf(draft)).not.toHaveProperty('unknown');
    fixture.clock.advanceSeconds(1);
    const final = await fixture.register(await fixture.registrationRequest(member, ISSUER));
    expect(metadataOf(final)).not.toHaveProperty('logo_uri');
  });
});

describe('metadata that the provider does not offer', () => {
  const offered = {
    grant_types_supported: ['authorization_code', 'refresh_token'],
    response_types_supported: ['code', 'code id_token'],
    token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic'],
  };

  it('are refused by name, although the rules for clients would allow them', async () => {
    const settings = () => ({ FEDERATION_RIGHTS: 'client-reg:grant:password' });
    const fixture = await startFederation({ settings, offered });
    for (const [metadata, named] of [
      [{ grant_types: ['authorization_code', 'password'] }, 'grant_types'],
      [{ grant_types: ['implicit'], response_types: ['id_token'] }, 'grant_types'],
      [{ response_types: ['code token'] }, 'response_types'],
      [{ token_endpoint_auth_method: 'client_secret_post' }, 'token_endpoint_auth_method'],
    ] as const) {
      const member = await fixture.relyingParty({ metadata });
      const request = await fixture.registrationRequest(member, ISSUER);
      expect(await fixture.register(request), named).toMatchObject({
        status: 400,
        body: expect.stringMatching(new RegExp(`invalid_client_metadata.*"${named}: `)),
      });
      const explained = await send(fixture.app, {
        method: 'POST',
        url: '/federation/explain',
        headers: { 'content-type': 'application/entity-statement+jwt', authorization: `Bearer ${MASTER}` },
        payload: request,
      });
      expect(JSON.parse(explained.body)).toMatchObject({
        trusted: true,
        refusal: { error: 'invalid_client_metadata', error_description: expect.stringContaining(named) },
      });
    }
    expect(await fixture.clients()).toEqual([]);
  });

  it('do not include values in another order, or members that the provider metadata omit', async () => {
    for (const lists of [offered, {}]) {
      const fixture = await startFederation({ offered: lists });
      const metadata = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] };
      const member = await fixture.relyingParty({ metadata });
      const response = await fixture.register(await fixture.registrationRequest(member, ISSUER));
      expect(response, response.body).toMatchObject({ status: 200 });
    }
  });
});

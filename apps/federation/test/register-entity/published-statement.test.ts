import { describe, expect, it } from 'vitest';
import {
  ISSUER,
  MASTER,
  send,
  signedResponse,
  startFederation,
  type TestFederation,
} from '../support/test-federation.js';

const JOSE = 'application/jose';

type Member = Awaited<ReturnType<TestFederation['relyingParty']>>;

/** Posts the published configuration of an entity, as anyone can who has read it. */
async function postPublished(fixture: TestFederation, member: Member) {
  const published = await (await fetch(`${member.id}/.well-known/openid-federation`)).text();
  return fixture.register(published, JOSE);
}

async function registerWithAudience(fixture: TestFederation, member: Member, iat?: number) {
  const claims = iat === undefined ? {} : { iat };
  const response = await fixture.register(
    await fixture.registrationRequest(member, ISSUER, { claims }),
    JOSE,
  );
  expect(response, response.body).toMatchObject({ status: 200 });
  return response;
}

describe('a published statement without aud', () => {
  it('does not change a registration that the entity made with aud', async () => {
    const fixture = await startFederation();
    const member = await fixture.relyingParty();
    await registerWithAudience(fixture, member);
    const before = await fixture.clients();
    fixture.clock.advanceSeconds(60);
    expect(await postPublished(fixture, member)).toMatchObject({
      status: 401,
      body: expect.stringContaining('unauthorized_client'),
    });
    expect(await fixture.clients()).toEqual(before);
  });

  it('is refused before anything is fetched if it could not be registered, and explained', async () => {
    const fixture = await startFederation();
    const member = await fixture.relyingParty();
    await registerWithAudience(fixture, member);
    fixture.clock.advanceSeconds(60);
    const requested = [...fixture.intermediates[0].requestedPaths];
    const published = await member.signConfiguration();
    expect(await fixture.register(published, JOSE)).toMatchObject({ status: 401 });
    expect(fixture.intermediates[0].requestedPaths).toEqual(requested);
    const explained = await send(fixture.app, {
      method: 'POST',
      url: '/federation/explain',
      headers: { 'content-type': JOSE, authorization: `Bearer ${MASTER}` },
      payload: published,
    });
    expect(JSON.parse(explained.body)).toMatchObject({
      trusted: false,
      reason: 'audience',
      detail: expect.stringContaining('without aud'),
    });
  });

  it('is replaced by a statement with aud, even an earlier one, with everything issued under it', async () => {
    const fixture = await startFederation();
    const member = await fixture.relyingParty();
    const now = Math.floor(fixture.clock.nowMs() / 1000);
    expect(await postPublished(fixture, member)).toMatchObject({ status: 200 });
    const [unaddressed] = await fixture.clients();
    const response = await registerWithAudience(fixture, member, now - 30);
    const { openid_relying_party: policy } = signedResponse(response).claims[
      'metadata_policy'
    ] as unknown as {
      openid_relying_party: Record<string, { value: string }>;
    };
    const clients = await fixture.clients();
    expect(clients).toMatchObject([
      { id: policy['client_id']?.value, federation: { isAddressed: true, statementIssuedAt: now - 30 } },
    ]);
    expect(clients[0]?.id).not.toBe(unaddressed?.id);
  });

  it('replaces an older one', async () => {
    const fixture = await startFederation();
    const member = await fixture.relyingParty();
    expect(await postPublished(fixture, member)).toMatchObject({ status: 200 });
    expect(await postPublished(fixture, member)).toMatchObject({ status: 401 });
    fixture.clock.advanceSeconds(1);
    expect(await postPublished(fixture, member)).toMatchObject({ status: 200 });
    expect(await fixture.clients()).toMatchObject([{ version: 2, federation: { isAddressed: false } }]);
  });

  it('never wins against statements with aud, in whatever order they arrive', async () => {
    const fixture = await startFederation();
    for (let round = 0; round < 5; round += 1) {
      const member = await fixture.relyingParty();
      const now = Math.floor(fixture.clock.nowMs() / 1000);
      const posts = Array.from({ length: 12 }, async (_, place) => {
        const isAddressed = place % 4 === 1;
        const iat = now - (isAddressed ? 100 : 50) + place;
        const audience = isAddressed ? ISSUER : undefined;
        const request = await fixture.registrationRequest(member, audience, { claims: { iat } });
        return { isAddressed, ...(await fixture.register(request, JOSE)) };
      });
      const responses = await Promise.all(posts);
      expect(responses.some(({ isAddressed, status }) => isAddressed && status === 200)).toBe(true);
      const clients = await fixture.clients();
      expect(clients.filter(({ federation }) => federation?.entityId === member.id)).toMatchObject([
        { federation: { isAddressed: true } },
      ]);
    }
  });
});

describe('explicit registration', () => {
  it('is refused for an entity whose client_registration_types do not contain explicit', async () => {
    const fixture = await startFederation();
    for (const types of [['automatic'], [], 'explicit', ['Explicit'], { explicit: true }]) {
      const metadata = { client_registration_types: types };
      const member = await fixture.relyingParty({ metadata });
      const audiences = [undefined, ISSUER];
      for (const audience of audiences) {
        const response = await fixture.register(await fixture.registrationRequest(member, audience), JOSE);
        expect(response, JSON.stringify(types)).toMatchObject({
          status: 400,
          body: expect.stringContaining('client_registration_types'),
        });
      }
    }
    expect(await fixture.clients()).toEqual([]);
    for (const types of [undefined, ['explicit'], ['automatic', 'explicit']]) {
      const member = await fixture.relyingParty({ metadata: { client_registration_types: types } });
      await registerWithAudience(fixture, member);
    }
  });
});

describe('FEDERATION_OLDER_DIALECT=keys_only', () => {
  const settings = () => ({ FEDERATION_OLDER_DIALECT: 'keys_only' });

  it('accepts statements without aud for clients that need no secret, and for no others', async () => {
    const fixture = await startFederation({ settings });
    const { jwks } = fixture.anchor;
    for (const metadata of [
      {},
      { token_endpoint_auth_method: 'client_secret_post' },
      { token_endpoint_auth_method: 'client_secret_jwt' },
      { id_token_signed_response_alg: 'HS256', token_endpoint_auth_method: 'private_key_jwt', jwks },
    ]) {
      const member = await fixture.relyingParty({ metadata });
      expect(await postPublished(fixture, member), JSON.stringify(metadata)).toMatchObject({
        status: 400,
        body: expect.stringMatching(/invalid_client_metadata.*aud/),
      });
    }
    expect(await fixture.clients()).toEqual([]);
    for (const metadata of [
      { token_endpoint_auth_method: 'private_key_jwt', jwks },
      { token_endpoint_auth_method: 'none' },
    ]) {
      const member = await fixture.relyingParty({ metadata });
      const response = await postPublished(fixture, member);
      expect(response, response.body).toMatchObject({ status: 200 });
    }
  });

  it('accepts statements with aud for every client', async () => {
    const fixture = await startFederation({ settings });
    await registerWithAudience(fixture, await fixture.relyingParty());
  });
});

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
async function postPublished(world: TestFederation, member: Member) {
  const published = await (await fetch(`${member.id}/.well-known/openid-federation`)).text();
  return world.register(published, JOSE);
}

async function registerWithAudience(world: TestFederation, member: Member, iat?: number) {
  const claims = iat === undefined ? {} : { iat };
  const response = await world.register(await world.registrationRequest(member, ISSUER, { claims }), JOSE);
  expect(response, response.body).toMatchObject({ status: 200 });
  return response;
}

describe('a published statement without aud', () => {
  it('does not change a registration that the entity made with aud', async () => {
    const world = await startFederation();
    const member = await world.relyingParty();
    await registerWithAudience(world, member);
    const before = await world.clients();
    world.clock.advanceSeconds(60);
    expect(await postPublished(world, member)).toMatchObject({
      status: 401,
      body: expect.stringContaining('unauthorized_client'),
    });
    expect(await world.clients()).toEqual(before);
  });

  it('is refused before anything is fetched if it could not be registered, and explained', async () => {
    const world = await startFederation();
    const member = await world.relyingParty();
    await registerWithAudience(world, member);
    world.clock.advanceSeconds(60);
    const asked = [...world.intermediates[0].asked];
    const published = await member.signConfiguration();
    expect(await world.register(published, JOSE)).toMatchObject({ status: 401 });
    expect(world.intermediates[0].asked).toEqual(asked);
    const explained = await send(world.app, {
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
    const world = await startFederation();
    const member = await world.relyingParty();
    const now = Math.floor(world.clock.nowMs() / 1000);
    expect(await postPublished(world, member)).toMatchObject({ status: 200 });
    const [stranger] = await world.clients();
    const response = await registerWithAudience(world, member, now - 30);
    const { openid_relying_party: policy } = signedResponse(response).claims[
      'metadata_policy'
    ] as unknown as {
      openid_relying_party: Record<string, { value: string }>;
    };
    const clients = await world.clients();
    expect(clients).toMatchObject([
      { id: policy['client_id']?.value, federation: { isAddressed: true, statementIssuedAt: now - 30 } },
    ]);
    expect(clients[0]?.id).not.toBe(stranger?.id);
  });

  it('replaces an older one', async () => {
    const world = await startFederation();
    const member = await world.relyingParty();
    expect(await postPublished(world, member)).toMatchObject({ status: 200 });
    expect(await postPublished(world, member)).toMatchObject({ status: 401 });
    world.clock.advanceSeconds(1);
    expect(await postPublished(world, member)).toMatchObject({ status: 200 });
    expect(await world.clients()).toMatchObject([{ version: 2, federation: { isAddressed: false } }]);
  });

  it('never wins against statements with aud, in whatever order they arrive', async () => {
    const world = await startFederation();
    for (let round = 0; round < 5; round += 1) {
      const member = await world.relyingParty();
      const now = Math.floor(world.clock.nowMs() / 1000);
      const posts = Array.from({ length: 12 }, async (_, place) => {
        const isAddressed = place % 4 === 1;
        const iat = now - (isAddressed ? 100 : 50) + place;
        const audience = isAddressed ? ISSUER : undefined;
        const request = await world.registrationRequest(member, audience, { claims: { iat } });
        return { isAddressed, ...(await world.register(request, JOSE)) };
      });
      const responses = await Promise.all(posts);
      expect(responses.some(({ isAddressed, status }) => isAddressed && status === 200)).toBe(true);
      const clients = await world.clients();
      expect(clients.filter(({ federation }) => federation?.entityId === member.id)).toMatchObject([
        { federation: { isAddressed: true } },
      ]);
    }
  });
});

describe('explicit registration', () => {
  it('is refused for an entity whose client_registration_types do not contain explicit', async () => {
    const world = await startFederation();
    for (const types of [['automatic'], [], 'explicit', ['Explicit'], { explicit: true }]) {
      const metadata = { client_registration_types: types };
      const member = await world.relyingParty({ metadata });
      const audiences = [undefined, ISSUER];
      for (const audience of audiences) {
        const response = await world.register(await world.registrationRequest(member, audience), JOSE);
        expect(response, JSON.stringify(types)).toMatchObject({
          status: 400,
          body: expect.stringContaining('client_registration_types'),
        });
      }
    }
    expect(await world.clients()).toEqual([]);
    for (const types of [undefined, ['explicit'], ['automatic', 'explicit']]) {
      const member = await world.relyingParty({ metadata: { client_registration_types: types } });
      await registerWithAudience(world, member);
    }
  });
});

describe('FEDERATION_OLDER_DIALECT=keys_only', () => {
  const settings = () => ({ FEDERATION_OLDER_DIALECT: 'keys_only' });

  it('accepts statements without aud for clients that need no secret, and for no others', async () => {
    const world = await startFederation({ settings });
    const { jwks } = world.anchor;
    for (const metadata of [
      {},
      { token_endpoint_auth_method: 'client_secret_post' },
      { token_endpoint_auth_method: 'client_secret_jwt' },
      { id_token_signed_response_alg: 'HS256', token_endpoint_auth_method: 'private_key_jwt', jwks },
    ]) {
      const member = await world.relyingParty({ metadata });
      expect(await postPublished(world, member), JSON.stringify(metadata)).toMatchObject({
        status: 400,
        body: expect.stringMatching(/invalid_client_metadata.*aud/),
      });
    }
    expect(await world.clients()).toEqual([]);
    for (const metadata of [
      { token_endpoint_auth_method: 'private_key_jwt', jwks },
      { token_endpoint_auth_method: 'none' },
    ]) {
      const member = await world.relyingParty({ metadata });
      const response = await postPublished(world, member);
      expect(response, response.body).toMatchObject({ status: 200 });
    }
  });

  it('accepts statements with aud for every client', async () => {
    const world = await startFederation({ settings });
    await registerWithAudience(world, await world.relyingParty());
  });
});

import { createServer } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createAutomaticFixture, NETWORK } from '../support/automatic-fixture.js';

it('registers an entity under its identifier, without secret or registration token, for an hour', async () => {
  const fixture = await createAutomaticFixture();
  const member = await fixture.member();
  const client = await fixture.register(member);
  expect(client).toMatchObject({
    id: member.entity.id,
    origin: 'federation_automatic',
    status: 'active',
    expiresAt: fixture.now() + 3_600,
    metadata: { token_endpoint_auth_method: 'private_key_jwt' },
    federation: {
      entityId: member.entity.id,
      trustAnchor: fixture.federation.anchor.id,
      superior: fixture.federation.intermediates[0].id,
    },
  });
  expect(client).not.toHaveProperty('secret');
  expect(client).not.toHaveProperty('registrationToken');
  expect(await fixture.stored(member)).toMatchObject({ id: client.id, version: 1 });
});

it.each([
  ['600', 3_600, 600],
  ['0', 3_600, 3_600],
  ['3600', 300, 300],
])('registers for %s seconds, but never past the chain, which ends in %i', async (life, chain, expected) => {
  const fixture = await createAutomaticFixture({ FEDERATION_AUTOMATIC_CLIENT_LIFETIME_SECONDS: life });
  const { anchor, intermediates } = fixture.federation;
  anchor.behaviour.subordinates.set(intermediates[0].id, { claims: { exp: fixture.now() + chain } });
  expect(await fixture.register(await fixture.member())).toMatchObject({
    expiresAt: fixture.now() + expected,
  });
});

it('resolves an entity again after its registration has ended', async () => {
  const fixture = await createAutomaticFixture();
  const member = await fixture.member();
  await fixture.register(member);
  fixture.advance(3_599);
  await fixture.register(member);
  expect(await fixture.stored(member)).toMatchObject({ issuedAt: fixture.now() - 3_599 });
  fixture.advance(1);
  member.entity.metadata['openid_relying_party'] = {
    ...member.entity.metadata['openid_relying_party'],
    client_name: 'Another name',
  };
  await fixture.register(member);
  expect(await fixture.stored(member)).toMatchObject({
    issuedAt: fixture.now(),
    expiresAt: fixture.now() + 3_600,
    metadata: { client_name: 'Another name' },
  });
});

it.each([
  ['a method with a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
  ['no authentication', { token_endpoint_auth_method: 'none' }],
  ['an algorithm that needs a secret', { id_token_signed_response_alg: 'HS256' }],
  ['explicit registration alone', { client_registration_types: ['explicit'] }],
  ['no keys', { jwks: undefined }],
])('refuses metadata with %s', async (_what, metadata) => {
  const fixture = await createAutomaticFixture();
  const member = await fixture.member(metadata);
  await expect(fixture.register(member)).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  expect(await fixture.stored(member)).toBeUndefined();
});

it('refuses an explicitly registered entity, and fetches nothing', async () => {
  const fixture = await createAutomaticFixture();
  const member = await fixture.member();
  const { clients } = fixture.store.database;
  const client = await fixture.register(member);
  await clients.delete(client.id, client.issuedAt);
  await clients.create({ ...client, id: 'explicit' as never, origin: 'federation_explicit' });
  const before = fixture.requested(member);
  await expect(fixture.register(member)).rejects.toMatchObject({ code: 'unauthorized_client' });
  expect(fixture.requested(member)).toBe(before);
  fixture.advance(3_600);
  expect(await fixture.register(member)).toMatchObject({ id: member.entity.id });
});

it('refuses a reused proof, whichever entity it is sent for', async () => {
  const fixture = await createAutomaticFixture();
  const member = await fixture.member();
  const registrationRequest = await fixture.registrationRequest(member);
  await fixture.automatic.register(registrationRequest);
  fixture.advance(30);
  const again = fixture.automatic.register(registrationRequest);
  await expect(again).rejects.toMatchObject({ code: 'unauthorized_client' });
  const other = await fixture.member();
  const borrowed = fixture.automatic.register({ ...registrationRequest, clientId: other.entity.id });
  await expect(borrowed).rejects.toMatchObject({ code: 'invalid_request' });
  expect(fixture.requested(other)).toBe(0);
});

it('accepts a proof again that was refused before it was verified', async () => {
  const fixture = await createAutomaticFixture();
  const [member, otherMember] = [await fixture.member(), await fixture.member()];
  const registrationRequest = await fixture.registrationRequest(member, { claims: { jti: 'the same' } });
  const { intermediates } = fixture.federation;
  intermediates[0].behaviour.fetchFault = 'server_error';
  await expect(fixture.automatic.register(registrationRequest)).rejects.toMatchObject({
    code: 'unauthorized_client',
  });
  intermediates[0].behaviour.fetchFault = undefined;
  const forger = { ...member, key: { ...otherMember.key, kid: member.key.kid } };
  const forged = await fixture.registrationRequest(forger, { claims: { jti: 'the same' } });
  await expect(fixture.automatic.register(forged)).rejects.toMatchObject({ code: 'unauthorized_client' });
  expect(await fixture.automatic.register(registrationRequest)).toMatchObject({ id: member.entity.id });
});

it('resolves an entity once for parallel requests, and verifies the proof of each', async () => {
  const fixture = await createAutomaticFixture({
    RATE_LIMITS_ENABLED: 'true',
    FEDERATION_REGISTRATIONS_PER_MINUTE_AND_NETWORK: '1',
  });
  const member = await fixture.member();
  const otherMember = await fixture.member();
  const good = await Promise.all(Array.from({ length: 20 }, () => fixture.registrationRequest(member)));
  const forged = await fixture.registrationRequest({
    ...member,
    key: { ...otherMember.key, kid: member.key.kid },
  });
  const registrationRequests = [...good, forged];
  // No request goes on before all have looked the client up, so that none finds what another has registered.
  const { clients } = fixture.store.database;
  const findByEntity = clients.findByEntity.bind(clients);
  const released: (() => void)[] = [];
  vi.spyOn(clients, 'findByEntity').mockImplementation(async (...of) => {
    const found = await findByEntity(...of);
    await new Promise<void>((resolve) => {
      released.push(resolve);
      if (released.length >= registrationRequests.length) for (const release of released) release();
    });
    return found;
  });
  const outcomes = await Promise.allSettled(
    registrationRequests.map((each) => fixture.automatic.register(each)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([...good.map(() => 'fulfilled'), 'rejected']);
  expect(fixture.requested(member)).toBe(1);
  expect(await fixture.stored(member)).toMatchObject({ version: 1 });
});

it('does not resolve an untrusted entity again for a while', async () => {
  const fixture = await createAutomaticFixture({ FEDERATION_NEGATIVE_CACHE_SECONDS: '30' });
  const member = await fixture.member({ client_registration_types: ['explicit'] });
  const refused = () => expect(fixture.register(member)).rejects.toThrow();
  await refused();
  const before = fixture.requested(member);
  fixture.advance(29);
  await refused();
  expect(fixture.requested(member)).toBe(before);
  fixture.advance(1);
  await refused();
  expect(fixture.requested(member)).toBe(before + 1);
});

it('limits resolutions by network and in total, and does not count requests refused before', async () => {
  const fixture = await createAutomaticFixture({
    RATE_LIMITS_ENABLED: 'true',
    FEDERATION_REGISTRATIONS_PER_MINUTE: '3',
    FEDERATION_REGISTRATIONS_PER_MINUTE_AND_NETWORK: '2',
  });
  const malformed = { ...(await fixture.registrationRequest(await fixture.member())), token: 'no.token' };
  for (let time = 0; time < 5; time += 1)
    await expect(fixture.automatic.register(malformed)).rejects.toMatchObject({ code: 'invalid_request' });
  const attempt = async (network: string) => {
    const member = await fixture.member();
    const outcome = await fixture.automatic
      .register(await fixture.registrationRequest(member, { network }))
      .then(
        () => 'registered',
        (error) => error.code,
      );
    return [outcome, fixture.requested(member)];
  };
  expect(await attempt(NETWORK)).toEqual(['registered', 1]);
  expect(await attempt(NETWORK)).toEqual(['registered', 1]);
  expect(await attempt(NETWORK)).toEqual(['too_many_requests', 0]);
  expect(await attempt('198.51.100.0/24')).toEqual(['registered', 1]);
  expect(await attempt('203.0.113.0/24')).toEqual(['too_many_requests', 0]);
});

it('verifies a proof only with the keys at the jwks_uri of the entity', async () => {
  const fixture = await createAutomaticFixture();
  const served: { jwks?: string } = {};
  const address = await serveJson(() => served.jwks);
  const named = { jwks: undefined, jwks_uri: `${address}/jwks.json` };
  const [member, absent] = [
    await fixture.member(named),
    await fixture.member({ ...named, jwks_uri: `${address}/other` }),
  ];
  await expect(fixture.register(absent)).rejects.toMatchObject({ code: 'unauthorized_client' });
  served.jwks = JSON.stringify({ keys: [member.key.publicJwk] });
  const forged = fixture.register({ ...member, key: { ...absent.key, kid: member.key.kid } });
  await expect(forged).rejects.toMatchObject({ code: 'unauthorized_client' });
  expect(await fixture.stored(member)).toBeUndefined();
  expect(await fixture.register(member)).toMatchObject({ id: member.entity.id });
});

/** Serves a text as JSON on a loopback address, or nothing while there is none. */
async function serveJson(text: () => string | undefined): Promise<string> {
  const server = createServer((_request, response) => {
    const body = text();
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('the server does not listen');
  return `http://127.0.0.1:${address.port}`;
}

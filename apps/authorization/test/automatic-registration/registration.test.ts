import { createServer } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { automaticWorld, NETWORK } from '../support/automatic-world.js';

it('registers an entity under its identifier, without secret or registration token, for an hour', async () => {
  const world = await automaticWorld();
  const member = await world.member();
  const client = await world.register(member);
  expect(client).toMatchObject({
    id: member.entity.id,
    origin: 'federation_automatic',
    status: 'active',
    expiresAt: world.now() + 3_600,
    metadata: { token_endpoint_auth_method: 'private_key_jwt' },
    federation: {
      entityId: member.entity.id,
      trustAnchor: world.federation.anchor.id,
      superior: world.federation.intermediates[0].id,
    },
  });
  expect(client).not.toHaveProperty('secret');
  expect(client).not.toHaveProperty('registrationToken');
  expect(await world.stored(member)).toMatchObject({ id: client.id, version: 1 });
});

it.each([
  ['600', 3_600, 600],
  ['0', 3_600, 3_600],
  ['3600', 300, 300],
])('registers for %s seconds, but never past the chain, which ends in %i', async (life, chain, expected) => {
  const world = await automaticWorld({ FEDERATION_AUTOMATIC_CLIENT_LIFETIME_SECONDS: life });
  const { anchor, intermediates } = world.federation;
  anchor.behaviour.subordinates.set(intermediates[0].id, { claims: { exp: world.now() + chain } });
  expect(await world.register(await world.member())).toMatchObject({ expiresAt: world.now() + expected });
});

it('resolves an entity again after its registration has ended', async () => {
  const world = await automaticWorld();
  const member = await world.member();
  await world.register(member);
  world.advance(3_599);
  await world.register(member);
  expect(await world.stored(member)).toMatchObject({ issuedAt: world.now() - 3_599 });
  world.advance(1);
  member.entity.metadata['openid_relying_party'] = {
    ...member.entity.metadata['openid_relying_party'],
    client_name: 'Another name',
  };
  await world.register(member);
  expect(await world.stored(member)).toMatchObject({
    issuedAt: world.now(),
    expiresAt: world.now() + 3_600,
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
  const world = await automaticWorld();
  const member = await world.member(metadata);
  await expect(world.register(member)).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  expect(await world.stored(member)).toBeUndefined();
});

it('refuses an explicitly registered entity, and fetches nothing', async () => {
  const world = await automaticWorld();
  const member = await world.member();
  const { clients } = world.store.database;
  const client = await world.register(member);
  await clients.delete(client.id, client.issuedAt);
  await clients.create({ ...client, id: 'explicit' as never, origin: 'federation_explicit' });
  const before = world.asked(member);
  await expect(world.register(member)).rejects.toMatchObject({ code: 'unauthorized_client' });
  expect(world.asked(member)).toBe(before);
  world.advance(3_600);
  expect(await world.register(member)).toMatchObject({ id: member.entity.id });
});

it('refuses a reused proof, whichever entity it is sent for', async () => {
  const world = await automaticWorld();
  const member = await world.member();
  const registrationRequest = await world.registrationRequest(member);
  await world.automatic.register(registrationRequest);
  world.advance(30);
  const again = world.automatic.register(registrationRequest);
  await expect(again).rejects.toMatchObject({ code: 'unauthorized_client' });
  const other = await world.member();
  const borrowed = world.automatic.register({ ...registrationRequest, clientId: other.entity.id });
  await expect(borrowed).rejects.toMatchObject({ code: 'invalid_request' });
  expect(world.asked(other)).toBe(0);
});

it('accepts a proof again that was refused before it was verified', async () => {
  const world = await automaticWorld();
  const [member, stranger] = [await world.member(), await world.member()];
  const registrationRequest = await world.registrationRequest(member, { claims: { jti: 'the same' } });
  const { intermediates } = world.federation;
  intermediates[0].behaviour.fetchFault = 'server_error';
  await expect(world.automatic.register(registrationRequest)).rejects.toMatchObject({
    code: 'unauthorized_client',
  });
  intermediates[0].behaviour.fetchFault = undefined;
  const forger = { ...member, key: { ...stranger.key, kid: member.key.kid } };
  const forged = await world.registrationRequest(forger, { claims: { jti: 'the same' } });
  await expect(world.automatic.register(forged)).rejects.toMatchObject({ code: 'unauthorized_client' });
  expect(await world.automatic.register(registrationRequest)).toMatchObject({ id: member.entity.id });
});

it('resolves an entity once for parallel requests, and verifies the proof of each', async () => {
  const world = await automaticWorld({
    RATE_LIMITS_ENABLED: 'true',
    FEDERATION_REGISTRATIONS_PER_MINUTE_AND_NETWORK: '1',
  });
  const member = await world.member();
  const stranger = await world.member();
  const good = await Promise.all(Array.from({ length: 20 }, () => world.registrationRequest(member)));
  const forged = await world.registrationRequest({
    ...member,
    key: { ...stranger.key, kid: member.key.kid },
  });
  const registrationRequests = [...good, forged];
  // The entity responds when all requests have arrived.
  const looks = vi.spyOn(world.store.database.clients, 'findByEntity');
  const looked = () => looks.mock.settledResults.filter(({ type }) => type === 'fulfilled').length;
  const allHaveCome = vi.waitUntil(() => looked() === registrationRequests.length, {
    timeout: 60_000,
    interval: 5,
  });
  member.entity.behaviour.silentUntil = allHaveCome.then(() => undefined);
  const outcomes = await Promise.allSettled(
    registrationRequests.map((each) => world.automatic.register(each)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([...good.map(() => 'fulfilled'), 'rejected']);
  expect(world.asked(member)).toBe(1);
  expect(await world.stored(member)).toMatchObject({ version: 1 });
});

it('does not resolve an untrusted entity again for a while', async () => {
  const world = await automaticWorld({ FEDERATION_FAILURE_MEMORY_SECONDS: '30' });
  const member = await world.member({ client_registration_types: ['explicit'] });
  const refused = () => expect(world.register(member)).rejects.toThrow();
  await refused();
  const before = world.asked(member);
  world.advance(29);
  await refused();
  expect(world.asked(member)).toBe(before);
  world.advance(1);
  await refused();
  expect(world.asked(member)).toBe(before + 1);
});

it('limits resolutions by network and in total, and does not count requests refused before', async () => {
  const world = await automaticWorld({
    RATE_LIMITS_ENABLED: 'true',
    FEDERATION_REGISTRATIONS_PER_MINUTE: '3',
    FEDERATION_REGISTRATIONS_PER_MINUTE_AND_NETWORK: '2',
  });
  const malformed = { ...(await world.registrationRequest(await world.member())), token: 'no.token' };
  for (let time = 0; time < 5; time += 1)
    await expect(world.automatic.register(malformed)).rejects.toMatchObject({ code: 'invalid_request' });
  const attempt = async (network: string) => {
    const member = await world.member();
    const outcome = await world.automatic.register(await world.registrationRequest(member, { network })).then(
      () => 'registered',
      (error) => error.code,
    );
    return [outcome, world.asked(member)];
  };
  expect(await attempt(NETWORK)).toEqual(['registered', 1]);
  expect(await attempt(NETWORK)).toEqual(['registered', 1]);
  expect(await attempt(NETWORK)).toEqual(['too_many_requests', 0]);
  expect(await attempt('198.51.100.0/24')).toEqual(['registered', 1]);
  expect(await attempt('203.0.113.0/24')).toEqual(['too_many_requests', 0]);
});

it('verifies a proof only with the keys at the jwks_uri of the entity', async () => {
  const world = await automaticWorld();
  const served: { jwks?: string } = {};
  const address = await serveJson(() => served.jwks);
  const named = { jwks: undefined, jwks_uri: `${address}/jwks.json` };
  const [member, absent] = [
    await world.member(named),
    await world.member({ ...named, jwks_uri: `${address}/other` }),
  ];
  await expect(world.register(absent)).rejects.toMatchObject({ code: 'unauthorized_client' });
  served.jwks = JSON.stringify({ keys: [member.key.publicJwk] });
  const forged = world.register({ ...member, key: { ...absent.key, kid: member.key.kid } });
  await expect(forged).rejects.toMatchObject({ code: 'unauthorized_client' });
  expect(await world.stored(member)).toBeUndefined();
  expect(await world.register(member)).toMatchObject({ id: member.entity.id });
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

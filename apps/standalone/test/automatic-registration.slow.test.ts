import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import { createEntityKey, type EntityKey, type FederationEntity } from '@vestibule/testkit/federation';
import { SignJWT, UnsecuredJWT } from 'jose';
import * as openid from 'openid-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { introspect, type Members, registerResourceServer, send } from './support/api.js';
import { insecure, REDIRECT_URI, runCodeFlow } from './support/code-flow.js';
import { type FederatedStack, startFederatedStack } from './support/federated-stack.js';
import { openWebBrowser } from './support/web-browser.js';

let federation: FederatedStack['federation'];
let stack: FederatedStack['stack'];
let stop: FederatedStack['stop'];

beforeAll(async () => {
  ({ federation, stack, stop } = await startFederatedStack());
});

afterAll(() => stop());

/** A relying party that the provider does not know, with keys of its own as a client. */
interface UnknownEntity {
  readonly entity: FederationEntity;
  readonly key: EntityKey;
}

async function anUnknownEntity(types: readonly string[] = ['automatic']): Promise<UnknownEntity> {
  const key = await createEntityKey();
  const entity = await federation.relyingParty({
    metadata: {
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid email read',
      client_registration_types: types,
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      jwks: { keys: [key.publicJwk] },
    },
  });
  return { entity, key };
}

function configurationOf({ entity, key }: UnknownEntity): Promise<openid.Configuration> {
  const authentication = openid.PrivateKeyJwt({ key: key.privateKey, kid: key.kid });
  return openid.discovery(new URL(stack.issuer), entity.id, {}, authentication, insecure);
}

function requestClaims(clientId: string, changes: Readonly<Record<string, JsonValue | undefined>> = {}) {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: clientId,
    client_id: clientId,
    aud: stack.issuer,
    iat: now,
    exp: now + 60,
    jti: randomUUID(),
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...changes,
  };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
}

function signed(claims: JsonObject, { privateKey, kid }: EntityKey, typ = 'oauth-authz-req+jwt') {
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid, typ }).sign(privateKey);
}

async function aRequestObject(
  { entity, key }: UnknownEntity,
  changes: Parameters<typeof requestClaims>[1] = {},
) {
  return signed(requestClaims(entity.id, changes), key);
}

async function authorize(clientId: string, request?: string) {
  const query = new URLSearchParams({ client_id: clientId, ...(request !== undefined && { request }) });
  const response = await fetch(`${stack.baseUrl}/authorize?${query}`, { redirect: 'manual' });
  return { status: response.status, text: await response.text() };
}

async function push(form: Readonly<Record<string, string>>) {
  const response = await fetch(`${stack.baseUrl}/par`, { method: 'POST', body: new URLSearchParams(form) });
  const body: Members = JSON.parse(await response.text());
  return { status: response.status, body };
}

async function registered({ entity }: Pick<UnknownEntity, 'entity'>) {
  const url = `${stack.baseUrl}/clients/${encodeURIComponent(entity.id)}`;
  return send(url, 'GET', stack.masterToken);
}

async function expectLogin(newEntity: UnknownEntity, tokens: Awaited<ReturnType<typeof runCodeFlow>>) {
  expect(tokens.claims()).toMatchObject({ sub: 'alice', aud: newEntity.entity.id });
  const resourceServer = await registerResourceServer(stack);
  expect(await introspect(stack, resourceServer, { token: tokens.access_token })).toMatchObject({
    active: true,
    client_id: newEntity.entity.id,
    sub: 'alice',
  });
  const { status, text } = await registered(newEntity);
  expect(status).toBe(200);
  expect(JSON.parse(text)).not.toHaveProperty('client_secret');
}

it('accepts logins of an unknown entity that signs its requests', async () => {
  const newEntity = await anUnknownEntity();
  const tokens = await runCodeFlow(await configurationOf(newEntity), {
    browser: openWebBrowser(stack.baseUrl),
    signedWith: { key: newEntity.key.privateKey, kid: newEntity.key.kid },
  });
  await expectLogin(newEntity, tokens);
});

it('accepts logins of an unknown entity that pushes its requests and authenticates with its key', async () => {
  const newEntity = await anUnknownEntity();
  const tokens = await runCodeFlow(await configurationOf(newEntity), {
    browser: openWebBrowser(stack.baseUrl),
    isPushed: true,
  });
  await expectLogin(newEntity, tokens);
});

it('accepts pushed signed request objects without another proof, the first one and later ones', async () => {
  const newEntity = await anUnknownEntity();
  for (let time = 0; time < 2; time += 1) {
    const request = await aRequestObject(newEntity);
    const { status, body } = await push({ client_id: newEntity.entity.id, request });
    expect({ status, body }).toMatchObject({ status: 201 });
    const address = `/authorize?${new URLSearchParams({ client_id: newEntity.entity.id, request_uri: String(body['request_uri']) })}`;
    expect(await openWebBrowser(stack.baseUrl).visit(address)).toContain('name="password"');
  }
  const foreign = await createEntityKey();
  const forged = await signed(requestClaims(newEntity.entity.id), { ...foreign, kid: newEntity.key.kid });
  expect(await push({ client_id: newEntity.entity.id, request: forged })).toMatchObject({ status: 400 });
});

it('accepts the trust chain in a request, and fetches nothing', async () => {
  const newEntity = await anUnknownEntity();
  const [first] = federation.intermediates;
  const chain = [
    await newEntity.entity.signConfiguration(),
    await first.signSubordinate(newEntity.entity.id),
    await federation.anchor.signSubordinate(first.id),
  ];
  const request = await new SignJWT(requestClaims(newEntity.entity.id))
    .setProtectedHeader({ alg: 'ES256', kid: newEntity.key.kid, trust_chain: chain })
    .sign(newEntity.key.privateKey);
  expect(await push({ client_id: newEntity.entity.id, request })).toMatchObject({ status: 201 });
  expect(newEntity.entity.requestedPaths).toEqual([]);
});

it('accepts request objects of the Italian federations, which are not client assertions', async () => {
  const newEntity = await anUnknownEntity();
  const { entity, key } = newEntity;
  const italian = async (changes: Parameters<typeof requestClaims>[1] = {}) =>
    signed(
      requestClaims(entity.id, {
        sub: entity.id,
        aud: [stack.issuer, `${stack.issuer}/authorize`],
        ...changes,
      }),
      key,
      'JWT',
    );
  for (const aud of [stack.issuer, [stack.issuer], [stack.issuer, stack.issuer]])
    expect((await authorize(entity.id, await italian({ aud }))).status).toBe(400);
  for (const changes of [
    { sub: 'https://other.example' },
    { aud: [stack.issuer, `${stack.issuer}/token`] },
    { aud: [`${stack.issuer}/authorize`] },
  ])
    expect((await authorize(entity.id, await italian(changes))).status, JSON.stringify(changes)).toBe(400);
  expect((await authorize(entity.id, await italian())).status).toBe(303);
  expect((await authorize(entity.id, await italian())).status).toBe(303);
  const assertion = {
    client_assertion: await italian(),
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  };
  expect((await push({ client_id: entity.id, ...assertion })).status).toBe(401);
});

it('refuses errors that can be found without a key, and fetches nothing', async () => {
  const newEntity = await anUnknownEntity();
  const { entity, key } = newEntity;
  const past = Math.floor(Date.now() / 1000) - 120;
  const claims = requestClaims(entity.id);
  const spoilt: readonly (string | undefined)[] = [
    undefined,
    'no.token',
    new UnsecuredJWT(claims).encode(),
    await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32)),
    await signed(claims, key, 'entity-statement+jwt'),
    await aRequestObject(newEntity, { aud: 'https://other.example' }),
    await aRequestObject(newEntity, { aud: [stack.issuer, 'https://other.example'] }),
    await aRequestObject(newEntity, { iss: 'https://other.example' }),
    await aRequestObject(newEntity, { client_id: 'https://other.example' }),
    await aRequestObject(newEntity, { sub: entity.id }),
    await aRequestObject(newEntity, { jti: undefined }),
    await aRequestObject(newEntity, { exp: undefined }),
    await aRequestObject(newEntity, { exp: past }),
    await aRequestObject(newEntity, { exp: past + 4_000 }),
  ];
  for (const [place, request] of spoilt.entries()) {
    expect((await authorize(entity.id, request)).status, `authorize ${place}`).toBe(400);
    const { status } = await push({ client_id: entity.id, ...(request !== undefined && { request }) });
    expect([400, 401], `push ${place}`).toContain(status);
  }
  expect(entity.requestedPaths).toEqual([]);
  expect((await registered(newEntity)).status).toBe(404);
});

it('refuses untrusted entities and forged proofs, and registers no client', async () => {
  const [, second] = federation.intermediates;
  const foreign = await createEntityKey();
  const impostor = await anUnknownEntity();
  const outsider = { entity: await federation.newEntity(), key: foreign };
  const expired = await anUnknownEntity();
  const over = { claims: { exp: Math.floor(Date.now() / 1000) - 60 } };
  federation.intermediates[0].behaviour.subordinates.set(expired.entity.id, over);
  const unvouched = await anUnknownEntity();
  unvouched.entity.hints.splice(0, 1, second.id);
  const cases = [
    { of: impostor, key: { ...foreign, kid: impostor.key.kid } },
    { of: impostor, key: impostor.entity.key },
    { of: outsider, key: foreign },
    { of: expired, key: expired.key },
    { of: unvouched, key: unvouched.key },
  ];
  for (const { of, key } of cases) {
    const refusal = await authorize(of.entity.id, await signed(requestClaims(of.entity.id), key));
    expect(refusal.status).toBe(401);
    expect(refusal.text).toContain('unauthorized_client');
    const request = await signed(requestClaims(of.entity.id), key);
    expect(await push({ client_id: of.entity.id, request })).toEqual({
      status: 401,
      body: { error: 'unauthorized_client', error_description: 'The entity cannot be trusted.' },
    });
    expect((await registered(of)).status).toBe(404);
  }
});

/** Posts the published configuration of an entity, as anyone can who has read it. */
async function postPublished({ entity }: UnknownEntity) {
  const published = await (await fetch(`${entity.id}/.well-known/openid-federation`)).text();
  const response = await fetch(`${stack.baseUrl}/federation/clients`, {
    method: 'POST',
    headers: { 'content-type': 'application/jose' },
    body: published,
  });
  return { status: response.status, text: await response.text() };
}

it('is not prevented by an attacker who posts the published entity configuration', async () => {
  const automaticOnly = await anUnknownEntity();
  expect(await postPublished(automaticOnly)).toMatchObject({
    status: 400,
    text: expect.stringContaining('client_registration_types'),
  });
  const newEntity = await anUnknownEntity(['automatic', 'explicit']);
  expect((await postPublished(newEntity)).status).toBe(200);
  for (let login = 0; login < 3; login += 1) {
    const request = await aRequestObject(newEntity);
    expect((await authorize(newEntity.entity.id, request)).status, `login ${login}`).toBe(303);
    expect((await postPublished(newEntity)).status).toBe(401);
  }
  expect((await registered(newEntity)).status).toBe(200);
});

it('is not prevented by an attacker who posts it repeatedly at the same time', async () => {
  const newEntity = await anUnknownEntity(['automatic', 'explicit']);
  const posts = Array.from({ length: 10 }, () => postPublished(newEntity));
  const requests = await Promise.all(Array.from({ length: 10 }, () => aRequestObject(newEntity)));
  const responses = await Promise.all(requests.map((request) => authorize(newEntity.entity.id, request)));
  expect(responses.map(({ status }) => status)).toEqual(requests.map(() => 303));
  for (const { status } of await Promise.all(posts)) expect([200, 401]).toContain(status);
  expect((await registered(newEntity)).status).toBe(200);
});

it('accepts a request object once', async () => {
  const newEntity = await anUnknownEntity();
  const request = await aRequestObject(newEntity);
  expect((await authorize(newEntity.entity.id, request)).status).toBe(303);
  expect(await authorize(newEntity.entity.id, request)).toMatchObject({
    status: 303,
    text: expect.stringContaining('error=invalid_request_object'),
  });
  expect((await push({ client_id: newEntity.entity.id, request })).status).toBe(400);
});

it('refuses an unsigned request of a client that registered automatically', async () => {
  const newEntity = await anUnknownEntity();
  const unsigned = {
    response_type: 'code',
    scope: 'openid',
    redirect_uri: REDIRECT_URI,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  expect((await authorize(newEntity.entity.id, await aRequestObject(newEntity))).status).toBe(303);
  for (const request of [undefined, ''])
    expect(await authorize(newEntity.entity.id, request)).toMatchObject({
      status: 303,
      text: expect.stringContaining('error=invalid_request'),
    });
  const { status, body } = await push({ client_id: newEntity.entity.id, ...unsigned });
  expect({ status, body }).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  const empty = await push({ client_id: newEntity.entity.id, request: '', ...unsigned });
  expect(empty).toEqual({ status, body });
});

it('registers one client for fifty parallel first logins, and resolves it once', async () => {
  const newEntity = await anUnknownEntity();
  const requests = await Promise.all(Array.from({ length: 50 }, () => aRequestObject(newEntity)));
  const responses = await Promise.all(requests.map((request) => authorize(newEntity.entity.id, request)));
  expect(responses.map(({ status }) => status)).toEqual(requests.map(() => 303));
  expect(newEntity.entity.requestedPaths).toEqual(['/.well-known/openid-federation']);
  const { text } = await send(`${stack.baseUrl}/clients`, 'GET', stack.masterToken);
  const clients: readonly Members[] = JSON.parse(text);
  expect(clients.filter(({ client_id }) => client_id === newEntity.entity.id)).toHaveLength(1);
});

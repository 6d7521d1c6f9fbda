import { randomUUID } from 'node:crypto';
import { createEntityKey, type EntityKey, openSmallFederation } from '@vestibule/testkit/federation';
import { SignJWT, UnsecuredJWT } from 'jose';
import { expect, it, onTestFinished } from 'vitest';
import { requestClaims, signRequest } from '../support/automatic-world.js';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** The parameters of an authorization request beside its proof. */
const REQUEST = {
  response_type: 'code',
  scope: 'openid',
  redirect_uri: 'https://app.example/cb',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

type Form = readonly (readonly [name: string, value: string])[];

/** A server with a federation, and an automatically registered entity. */
async function aWorld() {
  const federation = await openSmallFederation();
  onTestFinished(() => federation.close());
  const settings = {
    FEDERATION_ENABLED: 'true',
    FEDERATION_TRUST_ANCHORS: JSON.stringify(federation.trustAnchors),
    EGRESS_ALLOW_HOSTS: '127.0.0.1',
    RATE_LIMITS_ENABLED: 'false',
  };
  const { app, deps, problems } = await buildTestApp(settings, false, true);
  const key = await createEntityKey();
  const member = async () => {
    const metadata = {
      redirect_uris: [REQUEST.redirect_uri],
      client_registration_types: ['automatic'],
      jwks: { keys: [key.publicJwk] },
    };
    const { id } = await federation.relyingParty({ metadata });
    return id;
  };
  const post = (url: string, form: Form) =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: encoded(form),
    });
  const push = async (form: Form) => {
    const { statusCode, body } = await post('/par', form);
    return { status: statusCode, ...(JSON.parse(body) as { readonly error?: string }) };
  };
  const get = (form: Form) => app.inject(`/authorize?${encoded(form)}`);
  /** Both ways to the authorization endpoint, up to the first page of the login. */
  const authorize = async (form: Form) => {
    const { location = '' } = (await post('/authorize', form)).headers;
    const responses = [await get(form), await app.inject(location)];
    return responses.map(({ headers }) => String(headers.location).startsWith('/interaction/'));
  };
  const id = await member();
  const proof = (by: EntityKey = key, claims = {}) =>
    signRequest(by, { ...requestClaims(id, Math.floor(Date.now() / 1000)), ...REQUEST, ...claims });
  const pushed = await push([
    ['client_id', id],
    ['request', await proof()],
  ]);
  expect(pushed.status).toBe(201);
  return { id, key, member, push, authorize, proof, problems, stored: () => deps.clients.find(id as never) };
}

/** Parameters that prove the identity of a client, or seem to. */
const PROOFS = [
  'request',
  'request_uri',
  'client_assertion',
  'client_assertion_type',
  'client_secret',
  'code_verifier',
] as const;

/** Values that prove nothing, in every form in which a parameter can be sent. */
const EMPTY_HANDED: Readonly<Record<string, (name: string) => Form>> = {
  empty: (name) => [[name, '']],
  'without a value': (name) => [[`${name}&`, '']],
  'empty twice': (name) => [
    [name, ''],
    [name, ''],
  ],
  'empty and something': (name) => [
    [name, ''],
    [name, 'something'],
  ],
  blank: (name) => [[name, ' ']],
  something: (name) => [[name, 'something']],
  'a null': (name) => [[name, 'null']],
  'an object': (name) => [[`${name}[x]`, 'something']],
  'an array': (name) => [[`${name}[]`, 'something']],
  'dots alone': (name) => [[name, '..']],
  'four dots alone': (name) => [[name, '....']],
};

function encoded(form: Form): string {
  return form
    .map(([name, value]) => (name.endsWith('&') ? name.slice(0, -1) : `${name}=${encodeURIComponent(value)}`))
    .join('&');
}

function unproven(id: string, ...proofs: readonly Form[]): Form {
  return [['client_id', id], ...Object.entries(REQUEST), ...proofs.flat()];
}

it.each(Object.keys(EMPTY_HANDED))(
  'takes no request of an entity whose proofs are %s, at either endpoint and by either method',
  async (shape) => {
    const world = await aWorld();
    const parameter = EMPTY_HANDED[shape];
    if (parameter === undefined) throw new TypeError('there is no such shape');
    const forms: readonly (readonly string[])[] = [
      [],
      ...PROOFS.map((name) => [name]),
      ...PROOFS.flatMap((name, place) => PROOFS.slice(place + 1).map((other) => [name, other])),
      PROOFS,
    ];
    for (const names of forms) {
      const form = unproven(world.id, ...names.map(parameter));
      const { status, error } = await world.push(form);
      expect([400, 401], `push ${names} ${error}`).toContain(status);
      expect(await world.authorize(form), `authorize ${names}`).toEqual([false, false]);
    }
    expect(world.problems).toEqual([]);
  },
);

it('refuses a request whose request object is not signed with a key of the entity', async () => {
  const world = await aWorld();
  const foreign = { ...(await createEntityKey()), kid: world.key.kid };
  const claims = { ...requestClaims(world.id, Math.floor(Date.now() / 1000)), ...REQUEST };
  const forged = [
    await world.proof(foreign),
    new UnsecuredJWT(claims).encode(),
    await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32)),
    `${(await world.proof()).split('.').slice(0, 2).join('.')}.`,
    await world.proof(world.key, { iss: 'https://other.example' }),
    await world.proof(world.key, { client_id: 'https://other.example' }),
    await world.proof(world.key, { aud: 'https://other.example' }),
    await world.proof(world.key, { client_id: [world.id, world.id] }),
    await world.proof(world.key, { request: 'something' }),
    await world.proof(world.key, { request_uri: 'urn:ietf:params:oauth:request_uri:x' }),
  ];
  for (const [place, request] of forged.entries()) {
    const form = unproven(world.id, [['request', request]]);
    const { status } = await world.push(form);
    expect([400, 401], `push ${place}`).toContain(status);
    expect(await world.authorize(form), `authorize ${place}`).toEqual([false, false]);
  }
});

it('uses up no jti of an entity with a request object that the entity did not sign or that is refused', async () => {
  const world = await aWorld();
  const foreign = { ...(await createEntityKey()), kid: world.key.kid };
  const signed = async (by: EntityKey, claims: object): Promise<Form> => [
    ['client_id', world.id],
    ['request', await world.proof(by, claims)],
  ];
  const [first, second] = [{ jti: randomUUID() }, { jti: randomUUID() }];
  for (const refused of [
    await signed(foreign, first),
    await signed(world.key, { ...first, redirect_uri: 'https://other.example' }),
  ])
    expect(await world.push(refused)).toMatchObject({ status: 400 });
  expect(await world.push(await signed(world.key, first))).toMatchObject({ status: 201 });
  expect(await world.push(await signed(world.key, first))).toMatchObject({ error: 'invalid_request_object' });
  expect(await world.authorize(await signed(foreign, second))).toEqual([false, false]);
  // A request object is used once: the second way finds it used.
  expect(await world.authorize(await signed(world.key, second))).toEqual([true, false]);
});

it('treats empty parameters beside a proof as absent, for registered and unregistered entities', async () => {
  const world = await aWorld();
  const others: Form = PROOFS.filter((name) => name !== 'request').map((name) => [name, '']);
  for (const id of [world.id, await world.member()]) {
    const claims = { iss: id, client_id: id };
    const signed: Form = [['client_id', id], ...others, ['request', await world.proof(world.key, claims)]];
    expect(await world.push(signed)).toMatchObject({ status: 201 });
    const now = Math.floor(Date.now() / 1000);
    const assertion = await new SignJWT({ iss: id, sub: id, aud: ISSUER, exp: now + 60, jti: `${id} ${now}` })
      .setProtectedHeader({ alg: 'ES256', kid: world.key.kid })
      .setIssuedAt(now)
      .sign(world.key.privateKey);
    const authenticated: Form = [
      ['client_id', id],
      ...Object.entries(REQUEST),
      ['request', ''],
      ['client_secret', ''],
      ['client_assertion_type', ASSERTION_TYPE],
      ['client_assertion', assertion],
    ];
    expect(await world.push(authenticated)).toMatchObject({ status: 201 });
  }
  const fresh = await world.member();
  const claims = { iss: fresh, client_id: fresh };
  for (const id of [world.id, fresh]) {
    const request = await world.proof(world.key, id === fresh ? claims : {});
    const form: Form = [['client_id', id], ...others, ['request', request]];
    // A request object is used once: the second way finds it used.
    expect(await world.authorize(form)).toEqual([true, false]);
  }
});

it('resolves a pushed request only for the entity that pushed it', async () => {
  const world = await aWorld();
  const other = await world.member();
  const { request_uri: uri } = (await world.push([
    ['client_id', world.id],
    ['request', await world.proof()],
  ])) as { readonly request_uri?: string };
  const form = (id: string): Form => [
    ['client_id', id],
    ['request_uri', String(uri)],
    ['request', ''],
  ];
  expect(await world.authorize(form(other))).toEqual([false, false]);
  expect(await world.authorize(form(world.id))).toContain(true);
});

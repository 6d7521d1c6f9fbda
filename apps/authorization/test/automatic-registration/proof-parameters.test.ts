import { randomUUID } from 'node:crypto';
import { createEntityKey, type EntityKey, openSmallFederation } from '@vestibule/testkit/federation';
import { SignJWT, UnsecuredJWT } from 'jose';
import { expect, it, onTestFinished } from 'vitest';
import { requestClaims, signRequest } from '../support/automatic-fixture.js';
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
async function createFixture() {
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
    const fixture = await createFixture();
    const parameter = EMPTY_HANDED[shape];
    if (parameter === undefined) throw new TypeError('there is no such shape');
    const forms: readonly (readonly string[])[] = [
      [],
      ...PROOFS.map((name) => [name]),
      ...PROOFS.flatMap((name, place) => PROOFS.slice(place + 1).map((other) => [name, other])),
      PROOFS,
    ];
    for (const names of forms) {
      const form = unproven(fixture.id, ...names.map(parameter));
      const { status, error } = await fixture.push(form);
      expect([400, 401], `push ${names} ${error}`).toContain(status);
      expect(await fixture.authorize(form), `authorize ${names}`).toEqual([false, false]);
    }
    expect(fixture.problems).toEqual([]);
  },
);

it('refuses a request whose request object is not signed with a key of the entity', async () => {
  const fixture = await createFixture();
  const foreign = { ...(await createEntityKey()), kid: fixture.key.kid };
  const claims = { ...requestClaims(fixture.id, Math.floor(Date.now() / 1000)), ...REQUEST };
  const forged = [
    await fixture.proof(foreign),
    new UnsecuredJWT(claims).encode(),
    await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32)),
    `${(await fixture.proof()).split('.').slice(0, 2).join('.')}.`,
    await fixture.proof(fixture.key, { iss: 'https://other.example' }),
    await fixture.proof(fixture.key, { client_id: 'https://other.example' }),
    await fixture.proof(fixture.key, { aud: 'https://other.example' }),
    await fixture.proof(fixture.key, { client_id: [fixture.id, fixture.id] }),
    await fixture.proof(fixture.key, { request: 'something' }),
    await fixture.proof(fixture.key, { request_uri: 'urn:ietf:params:oauth:request_uri:x' }),
  ];
  for (const [place, request] of forged.entries()) {
    const form = unproven(fixture.id, [['request', request]]);
    const { status } = await fixture.push(form);
    expect([400, 401], `push ${place}`).toContain(status);
    expect(await fixture.authorize(form), `authorize ${place}`).toEqual([false, false]);
  }
});

it('uses up no jti of an entity with a request object that the entity did not sign or that is refused', async () => {
  const fixture = await createFixture();
  const foreign = { ...(await createEntityKey()), kid: fixture.key.kid };
  const signed = async (by: EntityKey, claims: object): Promise<Form> => [
    ['client_id', fixture.id],
    ['request', await fixture.proof(by, claims)],
  ];
  const [first, second] = [{ jti: randomUUID() }, { jti: randomUUID() }];
  for (const refused of [
    await signed(foreign, first),
    await signed(fixture.key, { ...first, redirect_uri: 'https://other.example' }),
  ])
    expect(await fixture.push(refused)).toMatchObject({ status: 400 });
  expect(await fixture.push(await signed(fixture.key, first))).toMatchObject({ status: 201 });
  expect(await fixture.push(await signed(fixture.key, first))).toMatchObject({
    error: 'invalid_request_object',
  });
  expect(await fixture.authorize(await signed(foreign, second))).toEqual([false, false]);
  // A request object is used once: the second way finds it used.
  expect(await fixture.authorize(await signed(fixture.key, second))).toEqual([true, false]);
});

it('treats empty parameters beside a proof as absent, for registered and unregistered entities', async () => {
  const fixture = await createFixture();
  const others: Form = PROOFS.filter((name) => name !== 'request').map((name) => [name, '']);
  for (const id of [fixture.id, await fixture.member()]) {
    const claims = { iss: id, client_id: id };
    const signed: Form = [
      ['client_id', id],
      ...others,
      ['request', await fixture.proof(fixture.key, claims)],
    ];
    expect(await fixture.push(signed)).toMatchObject({ status: 201 });
    const now = Math.floor(Date.now() / 1000);
    const assertion = await new SignJWT({ iss: id, sub: id, aud: ISSUER, exp: now + 60, jti: `${id} ${now}` })
      .setProtectedHeader({ alg: 'ES256', kid: fixture.key.kid })
      .setIssuedAt(now)
      .sign(fixture.key.privateKey);
    const authenticated: Form = [
      ['client_id', id],
      ...Object.entries(REQUEST),
      ['request', ''],
      ['client_secret', ''],
      ['client_assertion_type', ASSERTION_TYPE],
      ['client_assertion', assertion],
    ];
    expect(await fixture.push(authenticated)).toMatchObject({ status: 201 });
  }
  const fresh = await fixture.member();
  const claims = { iss: fresh, client_id: fresh };
  for (const id of [fixture.id, fresh]) {
    const request = await fixture.proof(fixture.key, id === fresh ? claims : {});
    const form: Form = [['client_id', id], ...others, ['request', request]];
    // A request object is used once: the second way finds it used.
    expect(await fixture.authorize(form)).toEqual([true, false]);
  }
});

it('resolves a pushed request only for the entity that pushed it', async () => {
  const fixture = await createFixture();
  const other = await fixture.member();
  const { request_uri: uri } = (await fixture.push([
    ['client_id', fixture.id],
    ['request', await fixture.proof()],
  ])) as { readonly request_uri?: string };
  const form = (id: string): Form => [
    ['client_id', id],
    ['request_uri', String(uri)],
    ['request', ''],
  ];
  expect(await fixture.authorize(form(other))).toEqual([false, false]);
  expect(await fixture.authorize(form(fixture.id))).toContain(true);
});

import { introspectionEndpoint } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { exportJWK, generateKeyPair } from 'jose';
import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { ISSUER } from '../support/build-test-app.js';
import { authorizationAddress, aVerifier, postForm } from '../support/code-flow.js';
import { createDocumentFixture } from '../support/document-fixture.js';
import { documentOf, type HostedResponse } from '../support/document-host.js';

/** The example of RFC 7517 appendix A.2. */
const SECRET_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  d: '870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE',
};
const KEYS = { jwks_uri: 'https://app.example/keys' };

/** What is wrong with a document, and the rule that people read. */
const BAD_DOCUMENTS = {
  'another client_id': [
    { client_id: 'http://127.0.0.1/x' },
    'client_id: must be exactly the URL of the document',
  ],
  'no client_id': [{ client_id: null }, 'client_id: must be exactly the URL of the document'],
  'a secret': [{ client_secret: 'hidden-in-public' }, 'client_secret: must not be in a public document'],
  'the expiry of a secret': [{ client_secret_expires_at: 0 }, 'client_secret_expires_at: must not be'],
  'a method with a secret': [
    { token_endpoint_auth_method: 'client_secret_basic' },
    'token_endpoint_auth_method: must be',
  ],
  'an HMAC assertion': [
    { token_endpoint_auth_method: 'client_secret_jwt' },
    'token_endpoint_auth_method: must be',
  ],
  'an unknown method': [{ token_endpoint_auth_method: 'other' }, 'token_endpoint_auth_method: must be'],
  'HMAC ID tokens': [{ id_token_signed_response_alg: 'HS256' }, 'id_token_signed_response_alg'],
  'a private key': [{ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [SECRET_KEY] } }, 'jwks'],
  'a method without keys': [
    { token_endpoint_auth_method: 'private_key_jwt' },
    'token_endpoint_auth_method: needs a usable key',
  ],
  'a script as redirect URI': [{ redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris'],
  'no redirect URI': [{ redirect_uris: [] }, 'redirect_uris'],
  'a back channel without TLS': [
    { backchannel_logout_uri: 'http://169.254.169.254/logout' },
    'backchannel_logout_uri',
  ],
  'a grant beyond its granted scopes': [
    {
      ...KEYS,
      token_endpoint_auth_method: 'private_key_jwt',
      grant_types: ['client_credentials'],
      response_types: [],
    },
    'it may not register these grant types',
  ],
  'a software statement': [{ software_statement: 'eyJhbGciOiJub25lIn0.e30.' }, ''],
} as const satisfies Readonly<Record<string, readonly [JsonObject, string]>>;

it('refuses a document that breaks a rule, and says which on the page and to programs', async () => {
  const { app, host, problems, sql } = await createDocumentFixture();
  for (const [what, [members, rule]] of Object.entries(BAD_DOCUMENTS)) {
    const client_id = host.publish(`/${what.replaceAll(' ', '-')}.json`, members);
    const page = await openBrowser(app).go(authorizationAddress({ client_id }, aVerifier().challenge));
    expect(page, what).toMatchObject({ status: 400, location: undefined });
    expect(page.body, what).toContain(`The client ID metadata document was refused: ${rule}`);
    expect(page.body).not.toMatch(/hidden-in-public|169\.254|at .*\.js/);
    const { status, body } = await postForm(
      app,
      '/token',
      { client_id },
      { grant_type: 'client_credentials' },
    );
    expect({ status, body }, what).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  }
  expect(await sql('SELECT id FROM client')).toEqual([]);
  expect(problems).toEqual([]);
});

// Otherwise a document would get by a change what a new one may not have.
it('refuses a known document that changes to break a rule, and leaves its client as it was', async () => {
  const { host, find, clock, stored } = await createDocumentFixture();
  const documents = Object.entries(BAD_DOCUMENTS).map(([what, [members]], index) => {
    const path = `/${index}.json`;
    return { what, url: host.publish(path), spoil: () => host.publish(path, members) };
  });
  await Promise.all(documents.map(({ url }) => find(url)));
  clock.advanceSeconds(3_600);
  for (const { what, url, spoil } of documents) {
    const before = await stored(url);
    spoil();
    await expect(find(url), what).rejects.toMatchObject({ code: 'invalid_client' });
    expect(await stored(url), what).toEqual(before);
  }
});

it('tells a program why its document was refused, and not to register', async () => {
  const { app, host } = await createDocumentFixture({ ALLOW_OPEN_REGISTRATION: 'true' });
  const responseFor = async (client_id: string) => {
    const url = authorizationAddress({ client_id }, aVerifier().challenge);
    return (await app.inject({ url, headers: { accept: 'application/json' } })).json();
  };
  const refused = await responseFor(host.publish('/client.json', { client_secret: 'hidden-in-public' }));
  expect(refused).toMatchObject({
    error: 'invalid_client',
    error_description:
      'The client ID metadata document was refused: client_secret: must not be in a public document',
  });
  expect(refused).not.toHaveProperty('registration_endpoint');
  expect(await responseFor('deleted')).toHaveProperty('registration_endpoint');
});

/** Contents that are no plain JSON object, and the rule that they break. */
const HOSTILE_CONTENTS = {
  'a repeated member': ['{"client_id":"a","client_id":"URL"}', 'repeats a member name'],
  'a repeated member in another spelling': [
    '{"client_id":"a","client\\u005fid":"URL"}',
    'repeats a member name',
  ],
  'the name of a prototype': ['{"client_id":"URL","__proto__":{"scope":"admin"}}', 'a reserved member name'],
  'deep nesting': [`{"client_id":"URL","jwks":${'['.repeat(500)}${']'.repeat(500)}}`, 'is nested too deeply'],
  'a list': ['["URL"]', 'it is not a JSON object'],
  'half a document': ['{"client_id":"URL"', 'is not valid JSON'],
  'a byte order mark in the middle': ['{"client_id":\ufeff"URL"}', 'is not valid JSON'],
} as const;

it.each(Object.entries(HOSTILE_CONTENTS))('refuses %s in a document', async (_what, [body, rule]) => {
  const { host, find, sql } = await createDocumentFixture();
  const url = host.url('/client.json');
  host.serve('/client.json', { body: body.replace('URL', url) });
  await expect(find(url)).rejects.toMatchObject({
    reason: 'content',
    message: expect.stringContaining(rule),
  });
  expect(await sql('SELECT id FROM client')).toEqual([]);
});

it('accepts a document with impossible dates in its headers, for the shortest time', async () => {
  const { host, find, clock, record } = await createDocumentFixture();
  const impossible = 'Thu, 99 Foo 2026 00:00:00 GMT';
  const url = host.publish('/client.json', {}, { expires: impossible, 'last-modified': impossible });
  await find(url);
  expect(await record(url)).toMatchObject({ freshUntil: Math.floor(clock.nowMs() / 1000) + 300 });
});

/** What is wrong with a response, and what operators read. */
const BAD_RESPONSES = {
  'a redirect to the same host': [{ status: 302, headers: { location: '/other.json' } }, 'redirect 302'],
  'a redirect to another host': [{ status: 307, headers: { location: 'http://192.0.2.1/' } }, 'redirect 307'],
  'another success than 200': [{ status: 203 }, 'status 203'],
  'an HTML page': [{ headers: { 'content-type': 'text/html' } }, 'media_type 200'],
  'too many bytes': [{ body: `{"a":"${'a'.repeat(5_200)}"}` }, 'too_large 200'],
  'fewer bytes than it says': [{ headers: { 'content-length': '4000' }, body: '{}' }, 'protocol'],
  'compressed content': [{ headers: { 'content-encoding': 'gzip' } }, 'encoding 200'],
  'an error': [{ status: 500 }, 'status 500'],
  nothing: [{ status: 404 }, 'status 404'],
} as const satisfies Readonly<Record<string, readonly [HostedResponse, string]>>;

it('says the same about every document that could not be fetched', async () => {
  const { app, host, record } = await createDocumentFixture();
  const bodies = new Set<string>();
  await Promise.all(
    Object.entries(BAD_RESPONSES).map(async ([what, [response, detail]]) => {
      const path = `/${what.replaceAll(' ', '-')}.json`;
      const client_id = host.url(path);
      host.serve(path, { body: JSON.stringify(documentOf(client_id)), ...response });
      const page = await openBrowser(app).go(authorizationAddress({ client_id }, aVerifier().challenge));
      expect(page.status, what).toBe(400);
      bodies.add(page.body);
      expect((await record(client_id))?.problem?.detail, what).toMatch(new RegExp(`^${detail}`));
    }),
  );
  expect(bodies.size).toBe(1);
  expect([...bodies][0]).toContain('The client ID metadata document could not be fetched.');
  expect(host.requested('/other.json')).toEqual([]);
});

it('connects to no private address, in any spelling', async () => {
  const { app, record } = await createDocumentFixture({ CLIENT_ID_METADATA_DOCUMENTS: 'any' });
  const inside = [
    'https://192.168.1.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/client.json',
    'https://[::ffff:7f00:1]/client.json',
    'https://[64:ff9b::a9fe:a9fe]/client.json',
    'https://0.0.0.0/client.json',
    'https://localhost/client.json',
    'https://app.example:22/client.json',
    'https://app.internal/client.json',
  ];
  for (const client_id of inside) {
    const { status, body } = await openBrowser(app).go(
      authorizationAddress({ client_id }, aVerifier().challenge),
    );
    expect(status, client_id).toBe(400);
    expect(body).toContain('The client ID metadata document could not be fetched.');
    expect((await record(client_id))?.problem?.detail, client_id).toMatch(/^blocked/);
  }
});

it('names the rule that an identifier breaks', async () => {
  const { app } = await createDocumentFixture({ CLIENT_ID_METADATA_DOCUMENTS: 'any' });
  const malformed = {
    'https://app.example/client.json#fragment': 'must have no fragment',
    'https://user@app.example/client.json': 'without user name',
    'https://app.example/a/../client.json': 'dot segments',
    'https://app.example/': 'must have a path',
    'https://APP.example/client.json': 'must be in its normal form',
    'http://app.example/client.json': 'https URL',
  };
  for (const [client_id, rule] of Object.entries(malformed)) {
    const { status, body } = await openBrowser(app).go(
      authorizationAddress({ client_id }, aVerifier().challenge),
    );
    expect(status, client_id).toBe(400);
    expect(body).toContain(rule);
  }
});

it('refuses 10,000 redirect URIs by the size of the document', async () => {
  const { host, find } = await createDocumentFixture({ METADATA_DOCUMENT_MAX_BYTES: '65536' });
  const redirect_uris = Array.from({ length: 10_000 }, (_, index) => `https://app.example/${index}`);
  await expect(find(host.publish('/client.json', { redirect_uris }))).rejects.toMatchObject({
    reason: 'unavailable',
    message: 'too_large 200',
  });
  const fewer = redirect_uris.slice(0, 1_000);
  await expect(find(host.publish('/less.json', { redirect_uris: fewer }))).rejects.toMatchObject({
    reason: 'content',
  });
});

it('fetches nothing from a host that is not listed', async () => {
  const { app, host, sql } = await createDocumentFixture({ CLIENT_ID_METADATA_DOCUMENTS: 'app.example' });
  const client_id = host.publish('/client.json');
  const { status, body } = await openBrowser(app).go(
    authorizationAddress({ client_id }, aVerifier().challenge),
  );
  expect(status).toBe(400);
  expect(body).toContain('its host is not permitted here');
  expect(host.requests).toEqual([]);
  expect(await sql('SELECT url FROM client_metadata_document')).toEqual([]);
});

it('never loads the pictures and pages that a document names', async () => {
  const { host, find } = await createDocumentFixture();
  const links = ['logo_uri', 'client_uri', 'policy_uri', 'tos_uri'].map((name) => [
    name,
    host.url(`/${name}`),
  ]);
  await find(host.publish('/client.json', Object.fromEntries(links)));
  expect(host.requests).toHaveLength(1);
});

/** Members whose URIs browsers or this server are sent to. */
const TARGETS = ['redirect_uris', 'post_logout_redirect_uris'];
const LOADED = ['jwks_uri', 'sector_identifier_uri', 'backchannel_logout_uri', 'initiate_login_uri'];

it('refuses a document if any of its URIs has another origin, and loads none of them', async () => {
  const { host, find } = await createDocumentFixture({
    METADATA_DOCUMENT_URIS: 'same_origin',
    ALLOW_LOOPBACK_REDIRECT_URIS: 'true',
  });
  const [own, foreign] = [host.url('/cb'), 'https://open-redirector.example/cb'];
  const members = [
    ...TARGETS.map((name) => [name, [own, foreign]] as const),
    ...LOADED.map((name) => [name, foreign] as const),
  ];
  for (const [name, value] of members) {
    const url = host.publish(`/${name}.json`, { redirect_uris: [own], [name]: value });
    await expect(find(url), name).rejects.toMatchObject({
      reason: 'uri',
      message: `${name}: must have the origin of the document`,
    });
  }
  expect(host.requests).toHaveLength(members.length);
  expect(await find(host.publish('/own.json', { redirect_uris: [own] }))).toMatchObject({ status: 'active' });
});

it('leaves out scope values beyond the granted scopes of documents', async () => {
  const { host, find } = await createDocumentFixture({ METADATA_DOCUMENT_RIGHTS: 'client-reg:scope:orders' });
  expect(await find(host.publish('/client.json', { scope: 'openid orders admin' }))).toMatchObject({
    metadata: { scope: 'openid orders' },
  });
});

/** A document that would be a resource server, if it had the right to introspect. */
const RESOURCE_SERVER = {
  token_endpoint_auth_method: 'private_key_jwt',
  ...KEYS,
  redirect_uris: null,
  grant_types: ['client_credentials'],
  response_types: [],
  scope: introspectionEndpoint(ISSUER as never),
  resource_identifiers: ['https://api.example'],
};

it('refuses a document with the name of another resource server, and remembers it', async () => {
  const { host, find } = await createDocumentFixture({
    METADATA_DOCUMENT_RIGHTS: `client-reg:grant:client client-reg:scope:${RESOURCE_SERVER.scope}`,
    METADATA_DOCUMENT_RETRY_SECONDS: '10',
  });
  await find(host.publish('/one.json', RESOURCE_SERVER));
  const url = host.publish('/two.json', RESOURCE_SERVER);
  for (let attempt = 1; attempt <= 2; attempt += 1)
    await expect(find(url)).rejects.toMatchObject({
      code: 'invalid_client',
      message: 'resource_identifiers[0]: must not be the name of another client',
    });
  expect(host.requested('/two.json')).toHaveLength(1);
});

it('takes no resource from a document that is left without the right to introspect', async () => {
  const { host, find } = await createDocumentFixture({ METADATA_DOCUMENT_RIGHTS: 'client-reg:grant:client' });
  const { publicKey } = await generateKeyPair('ES256');
  const jwks = { keys: [await exportJWK(publicKey)] };
  const url = host.publish('/client.json', {
    grant_types: ['authorization_code', 'client_credentials'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks,
    scope: `openid ${ISSUER}/token/introspect`,
    resource_identifiers: ['https://orders.example'],
  });
  const client = await find(url);
  expect(client).toMatchObject({ metadata: { scope: 'openid' } });
  expect(client?.metadata).not.toHaveProperty('resource_identifiers');
});

it('applies the registration policy for documents, and no other', async () => {
  const { host, find } = await createDocumentFixture({
    REGISTRATION_POLICY: JSON.stringify({
      any: { client_name: { essential: true } },
      anonymous: { client_uri: { essential: true } },
      metadata_document: { software_id: { essential: true } },
    }),
  });
  await expect(find(host.publish('/client.json'))).rejects.toMatchObject({
    reason: 'metadata',
    message: 'software_id: violates essential of the registration policy',
  });
  expect(await find(host.publish('/good.json', { software_id: 'an-app' }))).toMatchObject({
    status: 'active',
  });
});

it('counts fetches of unknown documents by network', async () => {
  const { host, find } = await createDocumentFixture({
    RATE_LIMITS_ENABLED: 'true',
    METADATA_DOCUMENT_FETCHES_PER_MINUTE_AND_NETWORK: '1',
  });
  await find(host.publish('/one.json'));
  const other = host.publish('/two.json');
  await expect(find(other)).rejects.toMatchObject({ code: 'too_many_requests' });
  expect(await find(host.url('/one.json'))).toMatchObject({ status: 'active' });
  expect(await find(other, '198.51.100.0/24')).toMatchObject({ status: 'active' });
});

it('refuses unknown documents without a fetch while there are too many unused ones; known ones go on', async () => {
  const { host, find, store, clock, app } = await createDocumentFixture({
    RATE_LIMITS_ENABLED: 'true',
    METADATA_DOCUMENT_MAX_UNUSED: '2',
  });
  const known = await find(host.publish('/known.json'));
  const refused = host.publish('/refused.json', { client_secret: 'secret' });
  await expect(find(refused, '198.51.100.0/24')).rejects.toMatchObject({ reason: 'secret' });
  const client_id = host.publish('/unknown.json');
  const page = await openBrowser(app).go(authorizationAddress({ client_id }, aVerifier().challenge));
  expect([page.status, host.requested('/unknown.json')]).toEqual([400, []]);
  expect(page.body).toContain('there are too many unused documents; try again later');
  expect(await find(known.id)).toMatchObject({ status: 'active' });
  await expect(find(refused)).rejects.toMatchObject({ reason: 'secret' });
  await store.database.clients.markUsed([known.id], Math.floor(clock.nowMs() / 1000) as never, 0);
  expect(await find(client_id, '203.0.113.0/24')).toMatchObject({ status: 'active' });
});

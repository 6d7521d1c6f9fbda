import { describe, expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { badRequest, information, JSON_HEADERS, registered, send } from '../support/calls.js';
import { HOSTILE_BODIES, OTHER_MEDIA_TYPES } from '../support/hostile-bodies.js';

const CALLBACK = 'https://app.example/cb';

describe('POST /clients with a malformed request', () => {
  it('refuses hostile bodies with one description each, and stores nothing', async () => {
    const { app, all } = await buildTestApp();
    for (const [payload, description] of HOSTILE_BODIES) {
      const response = await send(app, 'POST /clients', { token: MASTER, payload });
      expect(response, payload.toString().slice(0, 80)).toEqual(badRequest('invalid_request', description));
    }
    expect(await all()).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('refuses every other media type, even with a valid body', async () => {
    const { app, all } = await buildTestApp();
    const payload = JSON.stringify({ redirect_uris: [CALLBACK] });
    for (const type of OTHER_MEDIA_TYPES) {
      const response = await send(app, 'POST /clients', {
        token: MASTER,
        payload,
        headers: { 'content-type': type },
      });
      expect(response.status, type).toBe(400);
      expect(JSON.parse(response.body).error, type).toBe('invalid_request');
      expect(response.headers, type).toEqual(JSON_HEADERS);
    }
    const headers = { authorization: `Bearer ${MASTER}` };
    const untyped = await app.inject({
      method: 'POST',
      url: '/clients',
      headers,
      payload: Buffer.from(payload),
    });
    expect(untyped.statusCode).toBe(400);
    expect(await all()).toEqual([]);
    for (const type of ['application/json;', 'application/json; charset=utf-8;']) {
      const response = await send(app, 'POST /clients', {
        token: MASTER,
        payload,
        headers: { 'content-type': type },
      });
      expect(response.status, type).toBe(200);
    }
  });

  it('refuses a missing body', async () => {
    const { app } = await buildTestApp();
    const headers = { authorization: `Bearer ${MASTER}` };
    const response = await app.inject({ method: 'POST', url: '/clients', headers });
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toBe('invalid_request');
  });
});

/** Members of metadata with invalid values, by the error code of RFC 7591 section 3.2.2. */
const BAD_METADATA: readonly (readonly [error: string, body: Readonly<Record<string, unknown>>])[] = [
  ['invalid_redirect_uri', { redirect_uris: [] }],
  ['invalid_redirect_uri', { redirect_uris: null }],
  ['invalid_redirect_uri', { redirect_uris: ['http://app.example/cb'] }],
  ['invalid_redirect_uri', { redirect_uris: ['https://localhost/cb'] }],
  ['invalid_redirect_uri', { redirect_uris: ['javascript:alert(1)'] }],
  ['invalid_redirect_uri', { redirect_uris: ['https://app.example/cb#x'] }],
  ['invalid_redirect_uri', { application_type: 'web', redirect_uris: [CALLBACK, 'app.example:/cb'] }],
  ['invalid_redirect_uri', { redirect_uris: ['app.example:/cb', 'http://app.example/cb'] }],
  ['invalid_redirect_uri', { redirect_uris: [CALLBACK, 'unlisted:/cb'] }],
  ['invalid_redirect_uri', { redirect_uris: ['https://app.example/cb?code=1'] }],
  ['invalid_redirect_uri', { redirect_uris: CALLBACK }],
  ['invalid_redirect_uri', { redirect_uris: Array(101).fill('') }],
  ['invalid_redirect_uri', { redirect_uris: [CALLBACK, `${CALLBACK}/${'x'.repeat(2_048)}`] }],
  ['invalid_redirect_uri', { redirect_uris: ['https://app.example/\u0007'] }],
  ['invalid_redirect_uri', { redirect_uris: ['https://app.example/\u0000'] }],
  ['invalid_redirect_uri', { redirect_uris: ['https://app.example/\ud800'] }],
  ['invalid_redirect_uri', { redirect_uris: ['https://e.example;sandbox/cb'] }],
  ['invalid_client_metadata', { grant_types: ['device'] }],
  ['invalid_client_metadata', { response_types: ['token'] }],
  ['invalid_client_metadata', { application_type: 'desktop' }],
  ['invalid_client_metadata', { token_endpoint_auth_method: 'magic' }],
  ['invalid_client_metadata', { token_endpoint_auth_method: 'private_key_jwt' }],
  ['invalid_client_metadata', { grant_types: ['client_credentials'], token_endpoint_auth_method: 'none' }],
  ['invalid_client_metadata', { id_token_signed_response_alg: 'none' }],
  ['invalid_client_metadata', { id_token_encrypted_response_enc: 'A128GCM' }],
  ['invalid_client_metadata', { logo_uri: 'javascript:alert(1)' }],
  ['invalid_client_metadata', { post_logout_redirect_uris: ['data:text/html,x'] }],
  ['invalid_client_metadata', { jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }],
  ['invalid_client_metadata', { jwks: { keys: [] }, jwks_uri: 'https://app.example/jwks' }],
  ['invalid_client_metadata', { sector_identifier_uri: 'https://127.0.0.1/sector' }],
  ['invalid_client_metadata', { scope: 'a  b' }],
  ['invalid_client_metadata', { contacts: [''] }],
  ['invalid_client_metadata', { data: [] }],
  ['invalid_client_metadata', { data: 'text' }],
  ['invalid_client_metadata', { data: { text: 'x'.repeat(16_384) } }],
  ['invalid_client_metadata', { data: { numbers: Array.from({ length: 60 }, () => 1e-300) } }],
  // PostgreSQL can store neither (SQLSTATE 22P05, 22P02).
  ...['\u0000', '\ud800', '\udc00', '\u001f', '\u007f'].flatMap(
    (text) =>
      [
        ['invalid_client_metadata', { client_name: `a${text}b` }],
        ['invalid_client_metadata', { data: { a: [text] } }],
        ['invalid_client_metadata', { data: { [`a${text}`]: 1 } }],
      ] as const,
  ),
  ['invalid_client_metadata', { client_name: 'x'.repeat(16_385) }],
  ['invalid_client_metadata', { preferred_client_id: '..' }],
  ['invalid_client_metadata', { preferred_client_id: ' https://rp.example' }],
  ['invalid_client_metadata', { preferred_client_secret: 'short' }],
  ['invalid_software_statement', { software_statement: 'e30.e30.e30' }],
];

/** Members that are strings, booleans and lists, with a value of their type. */
const MEMBERS = [
  'client_name',
  'logo_uri',
  'scope',
  'software_id',
  'jwks_uri',
  'token_endpoint_auth_method',
  'subject_type',
  'redirect_uris',
  'grant_types',
  'response_types',
  'contacts',
  'require_auth_time',
  'default_max_age',
  'preferred_client_id',
  'preferred_client_secret',
];
const OPERATORS = [{ not: '' }, { equals: 'x' }, { in: [] }, [{ contains: '' }], [[]], -1.5];

describe('POST /clients with unknown members', () => {
  it('ignores them whatever they contain, within the size of a body (RFC 7591 section 2)', async () => {
    const { app } = await buildTestApp();
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    for (const value of [
      JSON.stringify('x'.repeat(60_000)),
      JSON.stringify(Array(20_000).fill(0)),
      JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`m${index}`, 1]))),
      deep,
      '9007199254740993',
      '"\\u0000\\ud800"',
      '{"a":1,"a":2,"constructor":{"prototype":{"polluted":true}}}',
    ])
      for (const name of ['x_unknown', '__proto__', 'redirect_uris#de', 'status']) {
        const payload = `{"${name}":1,"redirect_uris":["${CALLBACK}"],"${name}":${value}}`;
        const response = await send(app, 'POST /clients', { token: MASTER, payload });
        expect(response.status, `${name} ${value.slice(0, 40)}`).toBe(200);
        expect(information(response)).not.toHaveProperty([name]);
      }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`m${index}`, 1]));
    const body = { ...many, redirect_uris: [CALLBACK] };
    expect((await send(app, 'POST /clients', { token: MASTER, body })).status).toBe(200);
  });
});

describe('POST /clients with invalid metadata', () => {
  it('names the violated rule with its registered code, consumes nothing and stores nothing', async () => {
    const { app, all, initialToken, usesLeft } = await buildTestApp();
    const token = await initialToken('client-reg');
    for (const [error, body] of BAD_METADATA) {
      const call = { token, body: { redirect_uris: [CALLBACK], ...body } };
      const { status, headers, body: text } = await send(app, 'POST /clients', call);
      expect({ status, headers }, text).toEqual({ status: 400, headers: JSON_HEADERS });
      const parsed = JSON.parse(text);
      expect(Object.keys(parsed)).toEqual(['error', 'error_description']);
      expect(parsed.error, JSON.stringify(body)).toBe(error);
      expect(parsed.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
    }
    expect(await all()).toEqual([]);
    expect(await usesLeft(token)).toBe(1);
  });

  it('requires the algorithms of the authentication method (OpenID Connect Core section 9)', async () => {
    const { app } = await buildTestApp();
    for (const [method, algorithm, choices] of [
      ['client_secret_jwt', 'RS256', 'HS256, HS384, HS512'],
      [
        'private_key_jwt',
        'HS256',
        'RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519',
      ],
    ]) {
      const body = { token_endpoint_auth_method: method, token_endpoint_auth_signing_alg: algorithm };
      const call = { token: MASTER, body: { redirect_uris: [CALLBACK], ...body } };
      expect(JSON.parse((await send(app, 'POST /clients', call)).body)).toEqual({
        error: 'invalid_client_metadata',
        error_description: `token_endpoint_auth_signing_alg: must be one of ${choices} with ${method}`,
      });
    }
  });

  it('refuses values of another type for every member, and never treats one as a query', async () => {
    const { app, all } = await buildTestApp();
    for (const member of MEMBERS) {
      for (const value of OPERATORS) {
        const body = { redirect_uris: [CALLBACK], [member]: value };
        const response = await send(app, 'POST /clients', { token: MASTER, body });
        expect(response.status, JSON.stringify(body)).toBe(400);
        expect(JSON.parse(response.body).error_description).toContain(member);
      }
    }
    expect(await all()).toEqual([]);
  });

  it('has the same refusal for a taken and an invalid identifier', async () => {
    const { app } = await buildTestApp();
    await registered(app, { preferred_client_id: 'taken' });
    const body = { redirect_uris: [CALLBACK], preferred_client_id: 'taken' };
    expect(await send(app, 'POST /clients', { token: MASTER, body })).toEqual(
      badRequest('invalid_client_metadata', 'preferred_client_id: cannot be used'),
    );
  });

  it('either refuses or completely keeps values that are difficult for PostgreSQL: every later read and list works', async () => {
    const { app } = await buildTestApp();
    const values = [
      5e-324,
      -0,
      2 ** 53 - 1,
      1 - 2 ** 53,
      '\uFFFE',
      '\u{10FFFF}',
      '\u202e',
      'x'.repeat(3_000),
      {},
      [],
    ];
    const rest = { constructor: 'acme', toString: 1, '': 0, '\u00e9': 1, hasOwnProperty: null };
    const kept = await registered(app, { data: { values, ...rest, deep: [[[[[1]]]]] } });
    const read = await send(app, `GET /clients/${kept.client_id}`, { token: MASTER });
    expect(information(read)['data']).toEqual(kept['data']);
    const list = await send(app, 'GET /clients', { token: MASTER });
    expect(list.status).toBe(200);
    expect(JSON.parse(list.body)).toHaveLength(1);
  });
});

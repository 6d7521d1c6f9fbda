import { Check } from 'typebox/schema';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from './support/build-test-app.js';
import { API_DOCUMENT, send } from './support/calls.js';

const REGISTRATION = { ...API_DOCUMENT, $ref: '#/components/schemas/RegistrationRequest' };
const BASE = { redirect_uris: ['https://app.example/cb'] };
const GRANTS = { grant_types: ['authorization_code', 'implicit'] };
const KEYS = { keys: [{ kty: 'OKP', crv: 'X448', x: 'AQAB' }] };

/** Values of members, and other members that they require. */
const TAKEN: readonly object[] = [
  { client_name: 'Ä b', 'client_name#de': 'c' },
  {
    redirect_uris: ['https://[2001:db8::1]:8443/cb?x=%20', 'com.example.app:/cb'],
    application_type: 'native',
  },
  { redirect_uris: ['https://app.example'] },
  ...['id_token token', 'token id_token'].map((type) => ({
    ...GRANTS,
    response_types: ['code', type],
  })),
  ...['token code id_token', 'id_token code'].map((type) => ({ ...GRANTS, response_types: [type] })),
  ...['HTTPS://App.example:8443/a?b#c', 'http://app.example'].map((tos_uri) => ({ tos_uri })),
  { scope: '' },
  { token_endpoint_auth_methods_supported: ['other', 'none'], subject_types_supported: ['public'] },
  { scope: 'read ~!#' },
  { jwks: KEYS, token_endpoint_auth_method: 'none', subject_type: 'pairwise' },
  { jwks_uri: 'https://app.example/jwks?x' },
  { request_uris: ['https://app.example/request#digest'] },
  {
    post_logout_redirect_uris: ['https://app.example/end'],
    frontchannel_logout_uri: 'https://app.example/out',
  },
  {
    grant_types: ['client_credentials'],
    scope: 'https://as.example/token/introspect',
    resource_identifiers: ['urn:example:api', 'x://api.example/a'],
    resource_scopes: 'api:read api:write',
  },
  { client_registration_types: ['explicit'], default_max_age: 0, contacts: ['ops@app.example', ' x'] },
  { preferred_client_id: '...', preferred_client_secret: '~'.repeat(32) },
  { data: { a: { b: null } }, client_uri: null, unknown: 1 },
];

/** Values that both the document and the service refuse. */
const REFUSED: readonly object[] = [
  ...['', 'a\u0000', 'a\u00ad', '\u202ea', 'x'.repeat(2049), 1].map((client_name) => ({ client_name })),
  ...[
    'app.example',
    'https:app',
    'https://a b/',
    'x:y',
    'https://app.example/ü',
    'https://app.example/%zz',
    'https://app.example/?%0a',
    1,
  ].map((uri) => ({ redirect_uris: [uri] })),
  ...['code code', 'token id_token token', 'other', ''].map((type) => ({
    ...GRANTS,
    response_types: [type],
  })),
  ...['ftp://app.example', 'https://', 'https:///x', 'https://app.example:0/'].map((logo_uri) => ({
    logo_uri,
  })),
  ...['https://app.example/#x', 'urn:x:y'].map((jwks_uri) => ({ jwks_uri })),
  { backchannel_logout_uri: 'https://app.example/#' },
  { frontchannel_logout_uri: 'https://app.example/#x' },
  ...[
    ['api'],
    ['mailto:a@b.example'],
    ['urn:example'],
    ['https://api.example/#x'],
    Array(21).fill('urn:ex:a'),
  ].map((resource_identifiers) => ({ resource_identifiers })),
  ...[' a', 'a  b', 'a"', 'ä'].flatMap((scope) => [{ scope }, { resource_scopes: scope }]),
  ...[
    {},
    [],
    { keys: {} },
    { keys: [{}] },
    { keys: [{ kty: '' }] },
    { keys: Array(21).fill({ kty: 'x' }) },
  ].map((jwks) => ({ jwks })),
  { grant_types: ['urn:x:y z'] },
  { grant_types: ['device'] },
  { token_endpoint_auth_method: 'client_secret' },
  { subject_type: 'private' },
  { application_type: 'app' },
  { id_token_signed_response_alg: 'none' },
  { introspection_signed_response_alg: 'HS256' },
  { id_token_encrypted_response_alg: 'RSA1_5', jwks: KEYS },
  { client_registration_types: ['other'] },
  { contacts: [''] },
  ...[[], 'none', ['none', 1], ['a\u0000', 'none'], Array(101).fill('none')].map((list) => ({
    token_endpoint_auth_methods_supported: list,
  })),
  { request_uris: Array(11).fill('https://app.example/r') },
  { software_statement: 'a.b' },
  { tls_client_auth_san_dns: '\u200b' },
  { default_max_age: -1 },
  { dpop_bound_access_tokens: 'true' },
  { data: [] },
  ...['', '.', '..', ' a', 'ä', 'x'.repeat(257)].map((preferred_client_id) => ({ preferred_client_id })),
  ...['x'.repeat(31), 'x'.repeat(257), 'ä'.repeat(32)].map((preferred_client_secret) => ({
    preferred_client_secret,
  })),
];

it.each([
  ['takes', TAKEN, 200],
  ['refuses', REFUSED, 400],
] as const)('%s in the API document what the service does', async (_what, bodies, status) => {
  const { app } = await buildTestApp();
  for (const members of bodies) {
    const body = { ...BASE, ...members };
    const shown = JSON.stringify(body).slice(0, 300);
    const evaluated = await send(app, 'POST /clients?dry_run=true', { token: MASTER, body });
    expect(evaluated.status, `${shown} ${evaluated.body}`).toBe(status);
    expect(Check(REGISTRATION, body), shown).toBe(status === 200);
  }
});

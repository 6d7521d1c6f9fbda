import { expect, it } from 'vitest';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import { JSON_HEADERS, NOT_FOUND, send } from '../support/calls.js';

const HMAC = ['HS256', 'HS384', 'HS512'];
const SIGNED = ['ES256', 'EdDSA', ...HMAC];
const VERIFIED = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  ...HMAC,
];
const SYMMETRIC_ENCRYPTION = ['dir', 'A128KW', 'A192KW', 'A256KW', 'A128GCMKW', 'A192GCMKW', 'A256GCMKW'];
const ENCRYPTION = [
  ...['RSA-OAEP-256', 'RSA-OAEP-384', 'RSA-OAEP-512', 'RSA-OAEP'],
  ...['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A192KW', 'ECDH-ES+A256KW'],
  ...SYMMETRIC_ENCRYPTION,
];
const CONTENT = ['A128CBC-HS256', 'A192CBC-HS384', 'A256CBC-HS512', 'A128GCM', 'A192GCM', 'A256GCM'];

const AUTH_METHODS = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
  'none',
];

const DOCUMENT = {
  issuer: ISSUER,
  jwks_uri: `${ISSUER}/jwks.json`,
  registration_endpoint: `${ISSUER}/clients`,
  introspection_endpoint: `${ISSUER}/token/introspect`,
  end_session_endpoint: `${ISSUER}/logout`,
  frontchannel_logout_supported: true,
  frontchannel_logout_session_supported: true,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  introspection_endpoint_auth_methods_supported: [
    'client_secret_basic',
    'client_secret_post',
    'client_secret_jwt',
    'private_key_jwt',
    'tls_client_auth',
    'self_signed_tls_client_auth',
    'Bearer',
  ],
  introspection_endpoint_auth_signing_alg_values_supported: VERIFIED,
  grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
  response_types_supported: ['code'],
  subject_types_supported: ['public', 'pairwise'],
  token_endpoint_auth_methods_supported: AUTH_METHODS,
  token_endpoint_auth_signing_alg_values_supported: VERIFIED,
  id_token_signing_alg_values_supported: SIGNED,
  id_token_encryption_alg_values_supported: ENCRYPTION,
  id_token_encryption_enc_values_supported: CONTENT,
  userinfo_signing_alg_values_supported: SIGNED,
  userinfo_encryption_alg_values_supported: ENCRYPTION,
  userinfo_encryption_enc_values_supported: CONTENT,
  request_object_signing_alg_values_supported: VERIFIED,
  request_object_encryption_alg_values_supported: ['RSA-OAEP-256', 'ECDH-ES', ...SYMMETRIC_ENCRYPTION],
  request_object_encryption_enc_values_supported: CONTENT,
  authorization_signing_alg_values_supported: SIGNED,
  authorization_encryption_alg_values_supported: ENCRYPTION,
  authorization_encryption_enc_values_supported: CONTENT,
  introspection_signing_alg_values_supported: ['ES256', 'EdDSA'],
  introspection_encryption_alg_values_supported: ENCRYPTION,
  introspection_encryption_enc_values_supported: CONTENT,
  authorization_endpoint: `${ISSUER}/authorize`,
  pushed_authorization_request_endpoint: `${ISSUER}/par`,
  token_endpoint: `${ISSUER}/token`,
  userinfo_endpoint: `${ISSUER}/userinfo`,
  revocation_endpoint: `${ISSUER}/token/revoke`,
  revocation_endpoint_auth_methods_supported: AUTH_METHODS,
  revocation_endpoint_auth_signing_alg_values_supported: VERIFIED,
  scopes_supported: ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'],
  claims_supported: expect.arrayContaining(['sub', 'iss', 'auth_time', 'acr', 'sid', 'name', 'email']),
  acr_values_supported: ['urn:oasis:names:tc:SAML:2.0:ac:classes:Password'],
  response_modes_supported: [
    ...['query', 'fragment', 'form_post'],
    ...['jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt'],
  ],
  code_challenge_methods_supported: ['S256'],
  dpop_signing_alg_values_supported: VERIFIED.filter((name) => !HMAC.includes(name)),
  tls_client_certificate_bound_access_tokens: true,
  authorization_response_iss_parameter_supported: true,
  require_pushed_authorization_requests: false,
  claims_parameter_supported: true,
  request_parameter_supported: true,
  request_uri_parameter_supported: false,
};

const PUBLIC_HEADERS = { ...JSON_HEADERS, 'access-control-allow-origin': '*' };
const OPENID = '/.well-known/openid-configuration';
const OAUTH = '/.well-known/oauth-authorization-server';

it('returns the same document at both paths, whatever host the request names', async () => {
  const { app } = await buildTestApp({
    REGISTRABLE_GRANT_TYPES: 'authorization_code,refresh_token,client_credentials',
  });
  for (const address of [OPENID, OAUTH]) {
    for (const headers of [{}, { host: 'evil.example', 'x-forwarded-host': 'evil.example' }]) {
      const { status, headers: received, body } = await send(app, `GET ${address}`, { headers });
      expect({ status, headers: received }).toEqual({ status: 200, headers: PUBLIC_HEADERS });
      expect(JSON.parse(body)).toEqual(DOCUMENT);
    }
  }
});

// Behind a proxy that removes the path of the issuer, and one that does not (RFC 8414 section 3.1).
it('returns the document of an issuer with a path at each address that clients try', async () => {
  const path = '/tenants/a.b-c_1';
  const { app } = await buildTestApp({ BASE_URL: ISSUER + path });
  const addresses = [OPENID, OAUTH].flatMap((name) => [name, name + path, path + name]);
  for (const address of addresses) {
    const { status, headers, body } = await send(app, `GET ${address}`);
    expect({ status, headers }, address).toEqual({ status: 200, headers: PUBLIC_HEADERS });
    const { issuer, token_endpoint: token } = JSON.parse(body);
    expect({ issuer, token }).toEqual({ issuer: ISSUER + path, token: `${ISSUER}${path}/token` });
  }
  for (const address of addresses)
    for (const other of [`${address}/`, `${address}/x`, `/x${address}`, address.replace('a.b', 'a%2eb/x')])
      if (!addresses.includes(other)) expect(await send(app, `GET ${other}`), other).toEqual(NOT_FOUND);
  expect(await send(app, `GET ${path}/token`)).toEqual(NOT_FOUND);
});

it('leaves the addresses of an issuer to a proxy if routers may read its path differently', async () => {
  for (const path of ['/a*b', '/a%2Fb', '/a:b', '/a//b']) {
    const { app } = await buildTestApp({ BASE_URL: ISSUER + path });
    expect((await send(app, `GET ${OAUTH}`)).status, path).toBe(200);
    for (const address of [OAUTH + path, path + OPENID])
      expect((await send(app, `GET ${address}`)).status, address).toBe(404);
  }
});

it('lists the protected resources of the setting, and by default none (RFC 9728 section 4)', async () => {
  const resources = async (settings: Readonly<Record<string, string>>) => {
    const { app } = await buildTestApp(settings);
    return JSON.parse((await send(app, `GET ${OAUTH}`)).body).protected_resources;
  };
  const PROTECTED_RESOURCES = 'https://mcp.example/a, https://api.example';
  expect(await resources({ PROTECTED_RESOURCES })).toEqual(['https://mcp.example/a', 'https://api.example']);
  expect(await resources({})).toBeUndefined();
});

it('lists the scope values of open registration if it is on, and no others', async () => {
  const scopesOf = async (settings: Readonly<Record<string, string>>) => {
    const { app } = await buildTestApp(settings);
    const { body } = await send(app, 'GET /.well-known/openid-configuration');
    return JSON.parse(body).scopes_supported;
  };
  const open = { ALLOW_OPEN_REGISTRATION: 'true' };
  expect(await scopesOf({ ...open, OPEN_REGISTRATION_SCOPES: 'openid email read' })).toEqual([
    'openid',
    'email',
    'read',
  ]);
  expect(await scopesOf(open)).toBeUndefined();
});

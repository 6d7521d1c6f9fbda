import { describe, expect, it } from 'vitest';
import type { ReadableClient } from './exported-client.js';
import { readKeycloakClient } from './keycloak-client.js';

/** A confidential client as printed by `kcadm get clients`. */
const SHOP = {
  id: '6a4e3f4e-2d3c-4a5b-9b0e-3f6a0f1c9d11',
  clientId: 'web-shop',
  name: 'Web shop',
  description: '',
  rootUrl: 'https://shop.example.org',
  baseUrl: '/',
  adminUrl: '',
  surrogateAuthRequired: false,
  enabled: true,
  alwaysDisplayInConsole: false,
  clientAuthenticatorType: 'client-secret',
  secret: 'qVx0oW3mZ1rT8uYbN5cKd7LpHs2JfGaE',
  redirectUris: ['/callback', 'https://shop.example.org/silent'],
  webOrigins: ['https://shop.example.org'],
  notBefore: 0,
  bearerOnly: false,
  consentRequired: false,
  standardFlowEnabled: true,
  implicitFlowEnabled: false,
  directAccessGrantsEnabled: true,
  serviceAccountsEnabled: true,
  publicClient: false,
  frontchannelLogout: false,
  protocol: 'openid-connect',
  attributes: {
    'client.secret.creation.time': '1700000000',
    'post.logout.redirect.uris': '+##/bye',
    'backchannel.logout.url': 'https://shop.example.org/logout',
    'backchannel.logout.session.required': 'true',
    'oauth2.device.authorization.grant.enabled': 'false',
    'id.token.signed.response.alg': 'ES256',
    'user.info.response.signature.alg': 'unsigned',
    'request.object.signature.alg': 'any',
    'use.refresh.tokens': 'true',
    realm_client: 'false',
  },
  authenticationFlowBindingOverrides: {},
  fullScopeAllowed: true,
  nodeReRegistrationTimeout: -1,
  defaultClientScopes: ['web-origins', 'acr', 'profile', 'roles', 'basic', 'email'],
  optionalClientScopes: ['address', 'offline_access'],
  access: { view: true, configure: true, manage: true },
};

/** A placeholder that Keycloak or its vault replaces. */
const placeholder = (name: string) => `$\{${name}}`;

function read(changes: object): ReadableClient {
  const client = readKeycloakClient({ ...SHOP, ...changes });
  if (client.kind !== 'client') throw new Error(client.reason);
  return client;
}

const withAttributes = (attributes: object) => read({ attributes });

describe('a client of Keycloak', () => {
  it('keeps its identifier, secret, flows, URLs and scopes', () => {
    expect(readKeycloakClient(SHOP)).toEqual({
      kind: 'client',
      id: 'web-shop',
      metadata: {
        client_name: 'Web shop',
        client_uri: 'https://shop.example.org/',
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['authorization_code', 'refresh_token', 'password', 'client_credentials'],
        response_types: ['code'],
        scope: 'openid profile email address offline_access',
        redirect_uris: ['https://shop.example.org/callback', 'https://shop.example.org/silent'],
        post_logout_redirect_uris: [
          'https://shop.example.org/bye',
          'https://shop.example.org/callback',
          'https://shop.example.org/silent',
        ],
        id_token_signed_response_alg: 'ES256',
        backchannel_logout_uri: 'https://shop.example.org/logout',
        backchannel_logout_session_required: true,
      },
      secret: { kind: 'given', value: SHOP.secret },
      warnings: [
        'Keycloak accepts the secret in header and body; here the client must use client_secret_basic.',
        'Web origins (CORS) are not carried over: configure them at the authorization server.',
      ],
    });
  });

  it('loses URLs with a wildcard, and relative ones without a root', () => {
    const { metadata, warnings } = read({
      rootUrl: placeholder('authBaseUrl'),
      redirectUris: ['https://shop.example.org/*', '/callback', 'https://shop.example.org/cb'],
      attributes: {},
    });
    expect(metadata['redirect_uris']).toEqual(['https://shop.example.org/cb']);
    expect(metadata['client_uri']).toBeUndefined();
    expect(warnings).toEqual(
      expect.arrayContaining([
        'URIs with a wildcard in redirectUris are left out: list every URI that is used.',
        'Relative URIs in redirectUris are left out: the client has no root URL.',
      ]),
    );
  });

  it.each([
    [{ publicClient: true }, 'none'],
    [{ clientAuthenticatorType: 'client-jwt' }, 'private_key_jwt'],
    [{ clientAuthenticatorType: 'client-secret-jwt' }, 'client_secret_jwt'],
    [{ clientAuthenticatorType: 'client-x509' }, 'tls_client_auth'],
    [
      { attributes: { 'client.secret.authentication.allowed.method': 'client_secret_post' } },
      'client_secret_post',
    ],
  ])('authenticates as before: %j', (changes, method) => {
    expect(read(changes).metadata['token_endpoint_auth_method']).toBe(method);
  });

  it.each([
    [{ protocol: 'saml' }, 'It is a client of another protocol.'],
    [{ clientId: 'account', name: placeholder('client_account') }, 'It is a built-in client of Keycloak.'],
    [{ enabled: false }, 'It is disabled.'],
    [{ bearerOnly: true }, 'It only receives tokens (bearer-only).'],
    [{ clientAuthenticatorType: 'our-own' }, 'Its authentication method is not supported.'],
    [{ clientAuthenticatorType: 'constructor' }, 'Its authentication method is not supported.'],
  ])('is skipped with a reason: %j', (changes, reason) => {
    expect(readKeycloakClient({ ...SHOP, ...changes })).toEqual(
      expect.objectContaining({ kind: 'passed_over', reason }),
    );
  });

  it.each([
    ['**********', 'The export masks the secret: use kcadm get clients or kc.sh export.'],
    [placeholder('vault.shop'), 'The secret is a vault reference.'],
    ['', 'The export has no secret.'],
  ])('reports the secret %j as missing', (secret, reason) => {
    expect(read({ secret }).secret).toEqual({ kind: 'lost', reason });
  });

  it('leaves the application type to the rule of every registration', () => {
    const redirectUris = ['http://localhost:3000/cb', 'https://shop.example.org/cb'];
    for (const publicClient of [true, false])
      expect(read({ publicClient, redirectUris }).metadata).not.toHaveProperty('application_type');
  });

  it('distinguishes implicit and hybrid flows from the code flow alone', () => {
    expect(read({ implicitFlowEnabled: true }).metadata['response_types']).toContain('code id_token token');
    expect(read({ implicitFlowEnabled: true, standardFlowEnabled: false }).metadata).toMatchObject({
      grant_types: expect.not.arrayContaining(['authorization_code']),
      response_types: ['id_token', 'id_token token', 'token'],
    });
  });

  it('keeps its keys, by value and by URL', () => {
    const url = { 'use.jwks.url': 'true', 'jwks.url': 'https://shop.example.org/jwks' };
    expect(withAttributes(url).metadata['jwks_uri']).toBe('https://shop.example.org/jwks');
    const byValue = { 'use.jwks.string': 'true', 'jwks.string': '{"keys":[]}' };
    expect(withAttributes(byValue).metadata['jwks']).toEqual({ keys: [] });
    const broken = withAttributes({ 'use.jwks.string': 'true', 'jwks.string': '{' });
    expect(broken.metadata['jwks']).toBeUndefined();
    expect(broken.warnings).toContain('The attribute jwks.string is not a valid JWK set.');
  });

  it('still requires request objects, with a warning that the rules are stricter here', () => {
    const { metadata, warnings } = withAttributes({ 'request.object.required': 'request only' });
    expect(metadata['require_signed_request_object']).toBe(true);
    expect(warnings).toContain('Request objects stay required, and must be signed.');
  });

  it('keeps the certificate subject unless it is a pattern', () => {
    const tls = { clientAuthenticatorType: 'client-x509' };
    const subject = { 'x509.subjectdn': 'CN=shop' };
    expect(read({ ...tls, attributes: subject }).metadata['tls_client_auth_subject_dn']).toBe('CN=shop');
    const pattern = { ...subject, 'x509.allow.regex.pattern.comparison': 'true' };
    expect(read({ ...tls, attributes: pattern }).metadata['tls_client_auth_subject_dn']).toBeUndefined();
  });

  it('keeps pairwise subjects, with a warning that they change', () => {
    const { metadata, warnings } = read({
      protocolMappers: [
        {
          name: 'pairwise',
          protocolMapper: 'oidc-sha256-pairwise-sub-mapper',
          config: { sectorIdentifierUri: 'https://shop.example.org/sector', pairwiseSubAlgorithmSalt: 'x' },
        },
      ],
    });
    expect(metadata).toMatchObject({
      subject_type: 'pairwise',
      sector_identifier_uri: 'https://shop.example.org/sector',
    });
    expect(warnings).toContain('Pairwise subjects are computed differently: users get new identifiers.');
  });

  it('reports grants and attributes without counterpart by name, and none of their values', () => {
    const { warnings } = withAttributes({
      'oauth2.device.authorization.grant.enabled': 'true',
      'access.token.lifespan': '77',
      'a\u001b[2J b': 'secret-value',
    });
    expect(warnings).toEqual(
      expect.arrayContaining([
        'The device authorization grant is not supported.',
        'The attribute access.token.lifespan has no equivalent.',
        'The attribute of an unreadable name has no equivalent.',
      ]),
    );
    expect(warnings.join()).not.toMatch(/77|secret-value|\p{Cc}/u);
  });
});

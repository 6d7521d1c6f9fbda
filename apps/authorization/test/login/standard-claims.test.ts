import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import { authorizationAddress, aVerifier, logIn, postForm, tokensOf } from '../support/code-flow.js';

const build = () => buildTestApp({}, false, true);
const CODE = { grant_types: ['authorization_code', 'refresh_token'] };
const API = {
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
  scope: `${ISSUER}/token/introspect`,
};
const ACR = 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password';

/** `at_hash` of an access token (OpenID Connect Core section 3.1.3.6). */
const hashOf = (accessToken: string) =>
  createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');

const essential = (acr: object) => JSON.stringify({ id_token: { acr: { essential: true, ...acr } } });

it('has every standard claim of each scope value in discovery for demonstration accounts', async () => {
  const { app, register } = await build();
  const scope = 'openid profile email address phone';
  const { body } = await tokensOf(app, await register(CODE), { scope });
  const headers = { authorization: `Bearer ${body.access_token}` };
  const claims = (await app.inject({ url: '/userinfo', headers })).json();
  const { claims_supported: supported } = (await app.inject('/.well-known/openid-configuration')).json();
  const aboutLogin = ['iss', 'auth_time', 'acr', 'sid'];
  expect(Object.keys(claims).toSorted()).toEqual(
    supported.filter((name: string) => !aboutLogin.includes(name)).toSorted(),
  );
  expect(claims).toMatchObject({
    sub: 'alice',
    preferred_username: 'alice',
    email: 'alice@example.com',
    email_verified: true,
    phone_number_verified: true,
    updated_at: expect.any(Number),
    birthdate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    address: { formatted: expect.any(String), country: 'US' },
  });
});

it('has acr in the ID token if requested, and only then', async () => {
  const { app, register } = await build();
  const client = await register(CODE);
  const acrOf = async (parameters: Readonly<Record<string, string>>) =>
    decodeJwt((await tokensOf(app, client, parameters)).body.id_token)['acr'];
  expect(await acrOf({})).toBeUndefined();
  expect(await acrOf({ acr_values: ACR })).toBe(ACR);
  expect(await acrOf({ acr_values: 'urn:example:gold' })).toBe(ACR);
  expect(await acrOf({ claims: JSON.stringify({ id_token: { acr: null } }) })).toBe(ACR);
  expect(await acrOf({ claims: essential({ value: ACR }) })).toBe(ACR);
  expect(await acrOf({ claims: essential({ values: ['urn:example:gold', ACR] }) })).toBe(ACR);
  const configuration = (await app.inject('/.well-known/openid-configuration')).json();
  expect(configuration).toMatchObject({
    acr_values_supported: [ACR],
    claims_supported: expect.arrayContaining(['acr']),
  });
});

it('refuses an essential acr that no login attains, before and after the login, with and without prompt', async () => {
  const { app, register } = await build();
  const client = await register(CODE);
  const browser = openBrowser(app);
  const request = (parameters: Readonly<Record<string, string>>) =>
    authorizationAddress(client, aVerifier().challenge, parameters);
  const unmet = [{ value: 'urn:example:gold' }, { values: ['urn:example:gold', 'urn:example:silver'] }];
  const expectRefusals = async () => {
    for (const acr of unmet)
      for (const prompt of [{}, { prompt: 'none' }, { prompt: 'login' }] as Record<string, string>[]) {
        const { location = '' } = await browser.go(request({ claims: essential(acr), ...prompt }));
        const { searchParams } = new URL(location, ISSUER);
        expect(searchParams.get('error'), location).toBe('unmet_authentication_requirements');
      }
  };
  await expectRefusals();
  await logIn(browser, request({}));
  await expectRefusals();
});

it('adds at_hash to ID tokens of the token endpoint, whatever the format of the access token', async () => {
  const { app, register } = await buildTestApp({ RESOURCE_TOKEN_FORMAT: 'jwt' }, false, true);
  await register({ ...API, resource_identifiers: ['https://api.example/'] });
  const client = await register({ ...CODE, scope: 'openid read', id_token_signed_response_alg: 'ES256' });
  const { body } = await tokensOf(app, client);
  expect(decodeJwt(body.id_token)['at_hash']).toBe(hashOf(body.access_token));
  const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
  const renewed = await postForm(app, '/token', client, form);
  expect(renewed.body.access_token).not.toBe(body.access_token);
  expect(decodeJwt(renewed.body.id_token)['at_hash']).toBe(hashOf(renewed.body.access_token));
  const parameters = { resource: 'https://api.example/', scope: 'openid read' };
  const ofResource = await tokensOf(app, client, parameters);
  expect(decodeJwt(ofResource.body.id_token)['at_hash']).toBe(hashOf(ofResource.body.access_token));
});

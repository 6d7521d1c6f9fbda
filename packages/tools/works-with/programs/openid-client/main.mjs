import process from 'node:process';
import * as client from 'openid-client';
import { ensure, refusedStep, reportVersion, step, visit } from './report.mjs';

const { BASE_URL, MASTER_TOKEN, PORT } = process.env;
const server = new URL(BASE_URL);
const redirectUri = `http://127.0.0.1:${PORT}/callback`;
const loggedOutUri = `http://127.0.0.1:${PORT}/logged-out`;
const scope = 'openid profile email';
const loopback = { execute: [client.allowInsecureRequests] };
const metadata = {
  client_name: 'openid-client',
  redirect_uris: [redirectUri],
  post_logout_redirect_uris: [loggedOutUri],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  scope: `${scope} ${BASE_URL}/token/introspect`,
};

reportVersion('openid-client');

const register = (more, authentication) =>
  client.dynamicClientRegistration(server, { ...metadata, ...more }, authentication, {
    ...loopback,
    initialAccessToken: MASTER_TOKEN,
  });

// Without a third argument the library sends the secret in the form. A client registered without a method uses
// client_secret_basic (RFC 7591 section 2).
const registered = await step('register', () => register({}));
await refusedStep(
  'client_credentials without a method on either side',
  () => client.clientCredentialsGrant(registered),
  /client_secret_basic/,
);
await step('client_credentials (client_secret_post registered)', async () => {
  const config = await register({ token_endpoint_auth_method: 'client_secret_post' });
  await client.clientCredentialsGrant(config);
});

const { client_id: id, client_secret: secret } = registered.clientMetadata();
const config = await step('discovery', () =>
  client.discovery(server, id, undefined, client.ClientSecretBasic(secret), loopback),
);

/** Signs in and gives the tokens. */
async function logIn(configuration, addressOf) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedNonce = client.randomNonce();
  const address = await addressOf(configuration, {
    redirect_uri: redirectUri,
    scope,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const { url } = await visit(address);
  const checks = { pkceCodeVerifier, expectedNonce, idTokenExpected: true };
  return client.authorizationCodeGrant(configuration, new URL(url), checks);
}

const tokens = await step('login (code, PKCE)', () => logIn(config, client.buildAuthorizationUrl));
await step('userinfo', async () => {
  const { name } = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
  ensure(name !== undefined, 'there is no name');
});
await step('client_credentials', () => client.clientCredentialsGrant(config));
await step('introspect', async () => {
  const { active } = await client.tokenIntrospection(config, tokens.access_token);
  ensure(active, 'the token is not active');
});
const refreshed = await step('refresh', () => client.refreshTokenGrant(config, tokens.refresh_token));
await step('revoke', async () => {
  await client.tokenRevocation(config, refreshed.access_token);
  const { active } = await client.tokenIntrospection(config, refreshed.access_token);
  ensure(!active, 'the token is still active');
});
await step('PAR', () => logIn(config, client.buildAuthorizationUrlWithPAR));

await step('private_key_jwt', async () => {
  const { publicKey, privateKey } = await client.randomDPoPKeyPair('ES256');
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const key = { kty, crv, x, y, kid: 'one', alg: 'ES256', use: 'sig' };
  const byKey = await register(
    { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key] } },
    client.PrivateKeyJwt({ key: privateKey, kid: 'one' }),
  );
  await client.clientCredentialsGrant(byKey);
});
await step('client_secret_jwt', async () => {
  const bySecret = await register(
    { token_endpoint_auth_method: 'client_secret_jwt' },
    client.ClientSecretJwt(),
  );
  await client.clientCredentialsGrant(bySecret);
});
await step('DPoP', async () => {
  const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
  const { token_type: type } = await client.clientCredentialsGrant(config, {}, { DPoP });
  ensure(type === 'dpop', `the token is of the type ${type}`);
});

await step('logout', async () => {
  const address = client.buildEndSessionUrl(config, {
    post_logout_redirect_uri: loggedOutUri,
    id_token_hint: tokens.id_token,
    state: 'one',
  });
  const { url } = await visit(address);
  ensure(url === `${loggedOutUri}?state=one`, `the browser ended at ${url}`);
});

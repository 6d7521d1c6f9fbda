import process from 'node:process';
import * as oauth from 'oauth4webapi';
import { ensure, reportVersion, step, visit } from './report.mjs';

const { BASE_URL, MASTER_TOKEN, PORT } = process.env;
const issuer = new URL(BASE_URL);
const redirectUri = `http://127.0.0.1:${PORT}/callback`;
const scope = 'openid profile email';
const loopback = { [oauth.allowInsecureRequests]: true };
const metadata = {
  client_name: 'oauth4webapi',
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  scope: `${scope} ${BASE_URL}/token/introspect`,
};

reportVersion('oauth4webapi');

const as = await step('discovery', async () => {
  const response = await oauth.discoveryRequest(issuer, loopback);
  return oauth.processDiscoveryResponse(issuer, response);
});

async function register(more) {
  const response = await oauth.dynamicClientRegistrationRequest(
    as,
    { ...metadata, ...more },
    { ...loopback, initialAccessToken: MASTER_TOKEN },
  );
  return oauth.processDynamicClientRegistrationResponse(response);
}

const client = await step('register', () => register({}));
const authentication = oauth.ClientSecretBasic(client.client_secret);

async function clientCredentials(registered, method, parameters = {}) {
  const response = await oauth.clientCredentialsGrantRequest(as, registered, method, parameters, loopback);
  return oauth.processClientCredentialsResponse(as, registered, response);
}

/** Signs in and gives the tokens. */
async function logIn(addressOf) {
  const codeVerifier = oauth.generateRandomCodeVerifier();
  const expectedNonce = oauth.generateRandomNonce();
  const state = oauth.generateRandomState();
  const parameters = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    state,
    nonce: expectedNonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
  const { url } = await visit(`${as.authorization_endpoint}?${await addressOf(parameters)}`);
  const callback = oauth.validateAuthResponse(as, client, new URL(url), state);
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    authentication,
    callback,
    redirectUri,
    codeVerifier,
    loopback,
  );
  return oauth.processAuthorizationCodeResponse(as, client, response, {
    expectedNonce,
    requireIdToken: true,
  });
}

async function introspect(token) {
  const response = await oauth.introspectionRequest(as, client, authentication, token, loopback);
  return oauth.processIntrospectionResponse(as, client, response);
}

const tokens = await step('login (code, PKCE)', () => logIn((parameters) => parameters));
await step('userinfo', async () => {
  const { sub } = oauth.getValidatedIdTokenClaims(tokens);
  const response = await oauth.userInfoRequest(as, client, tokens.access_token, loopback);
  const { name } = await oauth.processUserInfoResponse(as, client, sub, response);
  ensure(name !== undefined, 'there is no name');
});
await step('client_credentials', () => clientCredentials(client, authentication));
await step('introspect', async () => {
  const { active } = await introspect(tokens.access_token);
  ensure(active, 'the token is not active');
});
const refreshed = await step('refresh', async () => {
  const { refresh_token: token } = tokens;
  const response = await oauth.refreshTokenGrantRequest(as, client, authentication, token, loopback);
  return oauth.processRefreshTokenResponse(as, client, response);
});
await step('revoke', async () => {
  const token = refreshed.access_token;
  const response = await oauth.revocationRequest(as, client, authentication, token, loopback);
  await oauth.processRevocationResponse(response);
  const { active } = await introspect(token);
  ensure(!active, 'the token is still active');
});
await step('PAR', () =>
  logIn(async (parameters) => {
    const response = await oauth.pushedAuthorizationRequest(as, client, authentication, parameters, loopback);
    const pushed = await oauth.processPushedAuthorizationResponse(as, client, response);
    return new URLSearchParams({ client_id: client.client_id, request_uri: pushed.request_uri });
  }),
);
await step('private_key_jwt', async () => {
  const { publicKey, privateKey } = await oauth.generateKeyPair('ES256');
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const jwks = { keys: [{ kty, crv, x, y, kid: 'one', alg: 'ES256', use: 'sig' }] };
  const registered = await register({ token_endpoint_auth_method: 'private_key_jwt', jwks });
  await clientCredentials(registered, oauth.PrivateKeyJwt({ key: privateKey, kid: 'one' }));
});
await step('client_secret_jwt', async () => {
  const registered = await register({ token_endpoint_auth_method: 'client_secret_jwt' });
  await clientCredentials(registered, oauth.ClientSecretJwt(registered.client_secret));
});
await step('validate a JWT access token', async () => {
  const { client_id: audience } = await register({ client_name: 'A resource server' });
  const { access_token: token } = await clientCredentials(client, authentication, {
    resource: `${BASE_URL}/clients/${audience}`,
  });
  const request = new Request(`${redirectUri}/api`, { headers: { authorization: `Bearer ${token}` } });
  const claims = await oauth.validateJwtAccessToken(as, request, audience, loopback);
  ensure(claims.client_id === client.client_id, 'the token names another client');
});

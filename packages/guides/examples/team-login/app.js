// node app.js PORT, with CLIENT_ID and CLIENT_SECRET
import express from 'express';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oidc from 'openid-client';

const [port] = process.argv.slice(2);
const { CLIENT_ID: id, CLIENT_SECRET: secret } = process.env;
const home = `http://localhost:${port}/`;
const issuer = 'http://localhost:3000';
const insecure = { execute: [oidc.allowInsecureRequests] };
const config = await oidc.discovery(new URL(issuer), id, undefined, oidc.ClientSecretBasic(secret), insecure);
const keys = createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri));
let pending;
let login;

const app = express();
app.get('/', (req, res) => res.json({ user: login?.user ?? null, access_token: login?.access_token }));

app.get('/login', async (req, res) => {
  pending = {
    pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
    expectedState: oidc.randomState(),
    expectedNonce: oidc.randomNonce(),
  };
  const parameters = {
    redirect_uri: `${home}callback`,
    scope: 'openid read',
    state: pending.expectedState,
    nonce: pending.expectedNonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(pending.pkceCodeVerifier),
    code_challenge_method: 'S256',
  };
  res.redirect(oidc.buildAuthorizationUrl(config, parameters).href);
});

app.get('/callback', async (req, res) => {
  const tokens = await oidc.authorizationCodeGrant(config, new URL(req.url, home), pending);
  login = { ...tokens, user: tokens.claims().sub };
  res.redirect('/');
});

app.get('/refresh', async (req, res) => {
  login = { ...login, ...(await oidc.refreshTokenGrant(config, login.refresh_token)) };
  res.redirect('/');
});

app.get('/logout', (req, res) => {
  const parameters = { id_token_hint: login.id_token, post_logout_redirect_uri: home };
  res.redirect(oidc.buildEndSessionUrl(config, parameters).href);
});

app.post('/backchannel-logout', express.urlencoded(), async (req, res) => {
  await jwtVerify(req.body.logout_token, keys, { issuer, audience: id, typ: 'logout+jwt' });
  login = undefined;
  res.sendStatus(200);
});

app.use((error, req, res, next) => res.status(500).json({ error: error.error ?? error.message }));
app.listen(port, '127.0.0.1', () => console.log(`${id} listens at ${home}`));

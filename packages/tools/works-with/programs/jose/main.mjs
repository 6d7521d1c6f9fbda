import process from 'node:process';
import * as jose from 'jose';
import { register } from './register.mjs';
import { ensure, reportVersion, step } from './report.mjs';

const { BASE_URL } = process.env;
const grant = { grant_types: ['client_credentials'], response_types: [] };

reportVersion('jose');

const { publicKey, privateKey } = await jose.generateKeyPair('ES256');
const key = { ...(await jose.exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
const api = await register({ ...grant, scope: `${BASE_URL}/token/introspect` });
const client = await register({
  ...grant,
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [key] },
  scope: 'read',
});

const token = await step('private_key_jwt', async () => {
  const assertion = await new jose.SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(client.client_id)
    .setSubject(client.client_id)
    .setAudience(BASE_URL)
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(privateKey);
  const response = await fetch(`${BASE_URL}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
      resource: `${BASE_URL}/clients/${api.client_id}`,
    }),
  });
  const body = await response.json();
  if (!response.ok) throw Object.assign(new Error('no token'), body);
  return body.access_token;
});

const keySet = jose.createRemoteJWKSet(new URL(`${BASE_URL}/jwks.json`));
const expected = { issuer: BASE_URL, audience: api.client_id, typ: 'at+jwt' };

await step('validate a JWT access token', async () => {
  const { payload } = await jose.jwtVerify(token, keySet, expected);
  ensure(payload.client_id === client.client_id, 'the token names another client');
});
await step('refuse a JWT access token for another audience', async () => {
  const failure = await jose
    .jwtVerify(token, keySet, { ...expected, audience: 'other' })
    .catch((error) => error);
  ensure(failure.code === 'ERR_JWT_CLAIM_VALIDATION_FAILED', 'the token is taken');
});

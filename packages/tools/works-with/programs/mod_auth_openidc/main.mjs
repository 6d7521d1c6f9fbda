// Runs Apache with mod_auth_openidc by its quick start: sign-in, logout, and a resource server that introspects.
import { execFileSync } from 'node:child_process';
import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { makeFolder, startApache } from './apache.mjs';
import { step, visit } from './report.mjs';
import { issueToken, register, revokeToken } from './stack.mjs';

const { BASE_URL } = process.env;
const folder = makeFolder();
const key = makeKey();
process.stdout.write(`${JSON.stringify({ version: packageVersion() })}\n`);

const relyingParties = {
  'login (quick start)': { method: 'client_secret_basic', lines: [] },
  'login (PKCE)': { method: 'client_secret_basic', lines: ['OIDCPKCEMethod S256'] },
  'login (client_secret_jwt)': { method: 'client_secret_jwt', lines: [] },
  'login (private_key_jwt)': { method: 'private_key_jwt', lines: keyLines() },
};
const hosts = {};
for (const [name, party] of Object.entries(relyingParties)) {
  party.port = await freePort();
  hosts[party.port] = await relyingPartyLines(name, party);
}
const server = { port: await freePort(), ...(await registerServer()) };
hosts[server.port] = introspectingLines(server);
const local = { port: await freePort() };
hosts[local.port] = await validatingLines();
const registering = { port: await freePort() };
hosts[registering.port] = await registeringLines(registering.port);

const apache = await startApache(folder, hosts);
try {
  for (const [name, { port }] of Object.entries(relyingParties)) await step(name, () => logIn(port, name));
  await step('register', () => registerAndLogIn(registering.port));
  const [[first, { port }]] = Object.entries(relyingParties);
  await step('logout', () => logOut(port, first));
  await step('back-channel logout', () => endedElsewhere(port));
  await step('introspect (a revoked token is refused at once)', () => introspect(server));
  await step('validate a JWT access token', async () => {
    const token = await issueToken({ client_id: server.id, sub: 'alice', scope: 'read', format: 'jwt' });
    await expectApi(local.port, token, 200);
  });
} finally {
  await apache.stop();
}

async function relyingPartyLines(name, { method, port, lines }) {
  const redirectUri = `http://127.0.0.1:${port}/secure/redirect_uri`;
  const registered = await register({
    client_name: `mod_auth_openidc: ${name}`,
    redirect_uris: [redirectUri],
    post_logout_redirect_uris: [`http://127.0.0.1:${port}/goodbye`],
    backchannel_logout_uri: `${redirectUri}?logout=backchannel`,
    token_endpoint_auth_method: method,
    scope: 'openid profile',
    ...(method === 'private_key_jwt' && { jwks: key.jwks }),
  });
  return [
    `OIDCProviderMetadataURL ${BASE_URL}/.well-known/openid-configuration`,
    `OIDCClientID ${registered.client_id}`,
    ...(registered.client_secret ? [`OIDCClientSecret ${registered.client_secret}`] : []),
    `OIDCRedirectURI ${redirectUri}`,
    'OIDCCryptoPassphrase a-random-password',
    ...lines,
    ...(method === 'client_secret_basic' ? [] : [`OIDCProviderTokenEndpointAuth ${method}`]),
    ...protect('secure', 'openid-connect'),
  ];
}

async function registeringLines(port) {
  const metadata = join(folder, 'metadata');
  const provider = encodeURIComponent(BASE_URL.replace(/^https?:\/\//, ''));
  const discovered = await (await fetch(`${BASE_URL}/.well-known/openid-configuration`)).text();
  const scope = 'client-reg:grant:code client-reg:scope:openid';
  writeFileSync(join(metadata, `${provider}.provider`), discovered);
  writeFileSync(
    join(metadata, `${provider}.conf`),
    JSON.stringify({
      registration_token: await issueToken({ scope, expires_in: 600 }),
      // Without these it registers for the implicit grant too, whose redirect URIs may not be loopback addresses.
      registration_endpoint_json: JSON.stringify({
        grant_types: ['authorization_code'],
        response_types: ['code'],
      }),
    }),
  );
  return [
    `OIDCMetadataDir ${metadata}`,
    `OIDCRedirectURI http://127.0.0.1:${port}/secure/redirect_uri`,
    'OIDCCryptoPassphrase a-random-password',
    ...protect('secure', 'openid-connect'),
  ];
}

async function registerServer() {
  const { client_id: id, client_secret: secret } = await register({
    client_name: 'mod_auth_openidc: resource server',
    grant_types: ['client_credentials'],
    scope: `${BASE_URL}/token/introspect`,
  });
  return { id, secret };
}

/** The metadata name the endpoint: `OIDCOAuthIntrospectionEndpoint` accepts https only. */
function introspectingLines({ id, secret }) {
  return [
    `OIDCOAuthServerMetadataURL ${BASE_URL}/.well-known/oauth-authorization-server`,
    `OIDCOAuthClientID ${id}`,
    `OIDCOAuthClientSecret ${secret}`,
    'OIDCOAuthTokenIntrospectionInterval -1',
    ...protect('api', 'oauth20'),
  ];
}

/** The keys come as files: `OIDCOAuthVerifyJwksUri` accepts https only. */
async function validatingLines() {
  const { keys } = await (await fetch(`${BASE_URL}/jwks.json`)).json();
  const lines = keys
    .filter(({ kty }) => kty === 'RSA')
    .map((jwk, index) => {
      const file = join(folder, `provider-${index}.pem`);
      writeFileSync(
        file,
        createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }),
      );
      return `OIDCOAuthVerifyCertFiles ${jwk.kid}#${file}`;
    });
  return [...lines, ...protect('api', 'oauth20')];
}

function protect(place, type) {
  return [`<Location /${place}>`, `AuthType ${type}`, 'Require valid-user', '</Location>'];
}

async function logIn(port, session, user = 'alice') {
  const ended = await visit(`http://127.0.0.1:${port}/secure/index.shtml`, { session, user });
  if (!ended.text.startsWith(`user=${user}`))
    throw problem(`the browser ended at ${ended.url}: ${ended.text}`);
}

/** Follows the link of a site to its provider. */
async function registerAndLogIn(port) {
  const target = `http://127.0.0.1:${port}/secure/index.shtml`;
  const query = new URLSearchParams({ iss: BASE_URL, target_link_uri: target });
  const ended = await visit(`http://127.0.0.1:${port}/secure/redirect_uri?${query}`, { session: 'register' });
  if (!ended.text.startsWith('user=alice')) throw problem(`the browser ended at ${ended.url}: ${ended.text}`);
}

async function logOut(port, session) {
  const goodbye = `http://127.0.0.1:${port}/goodbye`;
  const address = `http://127.0.0.1:${port}/secure/redirect_uri?logout=${encodeURIComponent(goodbye)}`;
  const ended = await visit(address, { session });
  if (!ended.url.startsWith(goodbye)) throw problem(`the browser ended at ${ended.url}: ${ended.text}`);
}

/** A logout at the provider ends the session of the module too, so that another user can sign in. */
async function endedElsewhere(port) {
  await logIn(port, 'elsewhere');
  await visit(`${BASE_URL}/logout`, { session: 'elsewhere' });
  await logIn(port, 'elsewhere', 'bob');
}

async function introspect({ id, port }) {
  const token = await issueToken({ client_id: id, sub: 'alice', scope: 'read', aud: [id], expires_in: 600 });
  await expectApi(port, token, 200);
  await revokeToken(token);
  await expectApi(port, token, 401);
}

async function expectApi(port, token, status) {
  const response = await fetch(`http://127.0.0.1:${port}/api/index.shtml`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.body?.cancel();
  if (response.status !== status) throw problem(`${response.status} in place of ${status}`);
}

function problem(sentence) {
  return new Error([sentence, ...apache.problems()].join(' '));
}

function makeKey() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const paths = { privatePem: join(folder, 'key.pem'), publicPem: join(folder, 'public.pem') };
  writeFileSync(paths.privatePem, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(paths.publicPem, publicKey.export({ type: 'spki', format: 'pem' }));
  const kid = createHash('sha256')
    .update(JSON.stringify(publicKey.export({ format: 'jwk' })))
    .digest('hex');
  return {
    ...paths,
    kid,
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }] },
  };
}

function keyLines() {
  return [
    `OIDCPrivateKeyFiles ${key.kid}#${key.privatePem}`,
    `OIDCPublicKeyFiles ${key.kid}#${key.publicPem}`,
  ];
}

/** The second column of dpkg-query's output. */
function packageVersion() {
  return execFileSync('dpkg-query', ['-W', 'libapache2-mod-auth-openidc'], { encoding: 'utf8' }).split(
    /\s/,
  )[1];
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

import process from 'node:process';
import { register } from './register.mjs';
import { ensure, step } from './report.mjs';

const { BASE_URL, MASTER_TOKEN, PORT } = process.env;

/** The address of the API, which the audience of its tokens names. Each program has its own. */
export const AUDIENCE = `https://orders.example:${PORT}`;
export const SCOPE = 'orders:read';

/** Registers an API that may introspect tokens. */
export function registerApi() {
  return register({
    grant_types: ['client_credentials'],
    scope: `${BASE_URL}/token/introspect`,
    resource_identifiers: [AUDIENCE],
  });
}

/** Calls an API with tokens that it has to accept, and with others that it has to refuse. */
export async function tryApi(address, { client_id }) {
  const usual = { client_id, sub: 'alice', scope: SCOPE, aud: [AUDIENCE], expires_in: 600 };
  const issue = async (members) => (await direct('', { ...usual, ...members })).access_token;
  const expectStatus = async (token, status) => {
    const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    const text = await response.text();
    ensure(response.status === status, `${response.status} in place of ${status}: ${text}`);
    return response.headers.get('www-authenticate') ?? text;
  };
  await step('introspect', async () => {
    const text = await expectStatus(await issue({}), 200);
    ensure(text === 'alice', `the API says: ${text}`);
  });
  await step('introspect a JWT access token', async () => expectStatus(await issue({ format: 'jwt' }), 200));
  await step('refuse an unknown token (401)', async () => {
    const challenge = await expectStatus('a-made-up-token', 401);
    ensure(/error="invalid_token"/.test(challenge), `the challenge is ${challenge}`);
  });
  await step('refuse another scope (403)', async () => {
    const challenge = await expectStatus(await issue({ scope: 'orders:write' }), 403);
    ensure(/error="insufficient_scope"/.test(challenge), `the challenge is ${challenge}`);
  });
  await step('refuse a token without an audience', async () =>
    expectStatus(await issue({ aud: undefined }), 401),
  );
  await step('refuse a revoked token at once', async () => {
    const token = await issue({});
    await expectStatus(token, 200);
    await direct('/revoke', { token });
    await expectStatus(token, 401);
  });
}

async function direct(path, members) {
  const response = await fetch(`${BASE_URL}/direct-authz${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${MASTER_TOKEN}` },
    body: JSON.stringify(members),
  });
  const text = await response.text();
  ensure(response.ok, `${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
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

/** The time within which an API that caches tokens refuses a revoked one, in milliseconds. */
const REVOCATION_MS = 1_000;

/**
 * Calls an API with tokens that it has to accept, and with others that it has to refuse.
 * @param prefix of the names of the steps
 * @param isCaching whether the API caches tokens, so that a revocation takes effect within a second
 */
export async function tryApi(address, { client_id }, { prefix = '', isCaching = false } = {}) {
  const apiStep = (name, work) => step(prefix + name, work);
  const usual = { client_id, sub: 'alice', scope: SCOPE, aud: [AUDIENCE], expires_in: 600 };
  const issue = async (members) => (await direct('', { ...usual, ...members })).access_token;
  const expectStatus = async (token, status) => {
    const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    const text = await response.text();
    ensure(response.status === status, `${response.status} in place of ${status}: ${text}`);
    return response.headers.get('www-authenticate') ?? text;
  };
  const isAccepted = async (token) =>
    expectStatus(token, 200).then(
      () => true,
      () => false,
    );
  await apiStep('introspect', async () => {
    const text = await expectStatus(await issue({}), 200);
    ensure(text === 'alice', `the API says: ${text}`);
  });
  await apiStep('introspect a JWT access token', async () =>
    expectStatus(await issue({ format: 'jwt' }), 200),
  );
  await apiStep('refuse an unknown token (401)', async () => {
    const challenge = await expectStatus('a-made-up-token', 401);
    ensure(/error="invalid_token"/.test(challenge), `the challenge is ${challenge}`);
  });
  await apiStep('refuse another scope (403)', async () => {
    const challenge = await expectStatus(await issue({ scope: 'orders:write' }), 403);
    ensure(/error="insufficient_scope"/.test(challenge), `the challenge is ${challenge}`);
  });
  await apiStep('refuse a token without an audience', async () =>
    expectStatus(await issue({ aud: undefined }), 401),
  );
  if (isCaching)
    await apiStep('refuse a revoked token within a second', async () => {
      const token = await issue({});
      for (let call = 0; call < 100; call += 1) await expectStatus(token, 200);
      await direct('/revoke', { token });
      const deadlineMs = performance.now() + REVOCATION_MS;
      while (performance.now() < deadlineMs && (await isAccepted(token))) await pause(5);
      await expectStatus(token, 401);
    });
  else
    await apiStep('refuse a revoked token at once', async () => {
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

import { signedBy, startJwksServer, TEST_KEYS } from '@vestibule/testkit';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { introspect, registerResourceServer, send } from './support/api.js';
import { type Standalone, startStandalone, temporaryFolder } from './support/standalone-process.js';

const { es256 } = TEST_KEYS;
const BACK = 'https://app.example/logged-out';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: Awaited<ReturnType<typeof startJwksServer>>;
let stack: Standalone;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startJwksServer(es256);
  stack = await startStandalone(folder.path, { AUTHORIZATION_SERVER_JWKS: server.url });
});

afterAll(async () => {
  await stack.stop();
  await server.close();
  await folder.remove();
});

const claims = (changes: object) => {
  const iat = Math.floor(Date.now() / 1000);
  return { iss: stack.issuer, sub: 'alice', iat, exp: iat + 600, ...changes };
};

it('introspects and revokes access tokens of the authorization server whose keys are configured', async () => {
  const resourceServer = await registerResourceServer(stack);
  const { id } = resourceServer;
  const token = await signedBy(es256, claims({ client_id: id, aud: id, jti: 'j1', scope: 'read' }));
  // The process listens before it has read the keys.
  await vi.waitFor(
    async () =>
      expect(await introspect(stack, resourceServer, { token })).toMatchObject({
        active: true,
        sub: 'alice',
      }),
    { timeout: 60_000, interval: 100 },
  );
  const revoked = await send(`${stack.baseUrl}/direct-authz/revoke`, 'POST', stack.masterToken, { token });
  expect(revoked.status).toBe(204);
  expect(await introspect(stack, resourceServer, { token })).toEqual({ active: false });
});

it('accepts its ID tokens as hints at the logout page', async () => {
  const { text } = await send(`${stack.baseUrl}/clients`, 'POST', stack.masterToken, {
    redirect_uris: ['https://app.example/cb'],
    post_logout_redirect_uris: [BACK],
  });
  const id_token_hint = await signedBy(es256, claims({ aud: JSON.parse(text).client_id }), { typ: 'JWT' });
  const query = new URLSearchParams({ id_token_hint, post_logout_redirect_uri: BACK });
  const response = await fetch(`${stack.baseUrl}/logout?${query}`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([303, BACK]);
});

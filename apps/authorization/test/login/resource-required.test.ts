import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import { authorizationAddress, aVerifier, postForm, tokensOf } from '../support/code-flow.js';

const CODE = { grant_types: ['authorization_code', 'refresh_token'], scope: 'openid email read' };
const MACHINE = { grant_types: ['client_credentials'], response_types: [], redirect_uris: [] };
const INTROSPECTION = `${ISSUER}/token/introspect`;
const API = 'https://api.example';
const REFUSED = 'resource must name the resource server that the token is for';

/** A server that requires a resource, with a resource server. */
async function createFixture() {
  const here = await buildTestApp({ RESOURCE_REQUIRED: 'true' }, false, true);
  const api = await here.register({ ...MACHINE, scope: INTROSPECTION, resource_identifiers: [API] });
  return { ...here, api };
}

it('refuses scope values for resource servers without a resource', async () => {
  const { app, register } = await createFixture();
  const client = await register(CODE);
  // The issuer stands for any resource server.
  for (const parameters of [{}, { resource: ISSUER }]) {
    const address = authorizationAddress(client, aVerifier().challenge, {
      scope: 'openid read',
      ...parameters,
    });
    const { location } = await openBrowser(app).go(address);
    const { searchParams } = new URL(location ?? '');
    expect(searchParams.get('error')).toBe('invalid_target');
    expect(searchParams.get('error_description')).toBe(REFUSED);
  }
  const machine = await register({ ...MACHINE, scope: 'read' });
  for (const scope of [{}, { scope: 'read' }])
    expect(
      await postForm(app, '/token', machine, { grant_type: 'client_credentials', ...scope }),
    ).toMatchObject({ status: 400, body: { error: 'invalid_target', error_description: REFUSED } });
});

it('takes them with a resource, and needs none to log in and to introspect', async () => {
  const { app, register, api } = await createFixture();
  const client = await register(CODE);
  expect((await tokensOf(app, client, { scope: 'openid read', resource: API })).status).toBe(200);
  expect((await tokensOf(app, client, { scope: 'openid email' })).status).toBe(200);
  const own = await postForm(app, '/token', api, { grant_type: 'client_credentials', scope: INTROSPECTION });
  expect(own).toMatchObject({ status: 200, body: { scope: INTROSPECTION } });
});

it('still renews grants from before it was required', async () => {
  const { app, register, deps } = await buildTestApp({}, false, true);
  const client = await register(CODE);
  const { body } = await tokensOf(app, client, { scope: 'openid read' });
  Object.assign(deps.provider, { isResourceRequired: true });
  const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token, scope: 'openid read' };
  expect(await postForm(app, '/token', client, form)).toMatchObject({ status: 200 });
});

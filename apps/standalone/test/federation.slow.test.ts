import { decodeJwt } from 'jose';
import * as openid from 'openid-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { introspect, type Members, registerResourceServer, send } from './support/api.js';
import { insecure, REDIRECT_URI, runCodeFlow } from './support/code-flow.js';
import { type FederatedStack, startFederatedStack } from './support/federated-stack.js';
import { openWebBrowser } from './support/web-browser.js';

let federation: FederatedStack['federation'];
let stack: FederatedStack['stack'];
let stop: FederatedStack['stop'];

beforeAll(async () => {
  ({ federation, stack, stop } = await startFederatedStack());
});

afterAll(() => stop());

const METADATA = {
  redirect_uris: [REDIRECT_URI],
  grant_types: ['authorization_code', 'refresh_token'],
  scope: 'openid email read',
};

async function register(contentType: string, body: string) {
  const response = await fetch(`${stack.baseUrl}/federation/clients`, {
    method: 'POST',
    headers: { 'content-type': contentType },
    body,
  });
  expect(response.status).toBe(200);
  return decodeJwt(await response.text());
}

it('is announced by discovery and by our entity configuration, which agree', async () => {
  const advertised = {
    client_registration_types_supported: ['automatic', 'explicit'],
    federation_registration_endpoint: `${stack.issuer}/federation/clients`,
    signed_jwks_uri: `${stack.issuer}/jwks.jwt`,
  };
  const document: Members = JSON.parse(
    await (await fetch(`${stack.baseUrl}/.well-known/openid-configuration`)).text(),
  );
  expect(document).toMatchObject(advertised);
  const own = await (await fetch(`${stack.baseUrl}/.well-known/openid-federation`)).text();
  expect(decodeJwt(own)).toMatchObject({ sub: stack.issuer, metadata: { openid_provider: document } });
});

/** Logs alice in with the registered client, and has a resource server introspect the token. */
async function expectLogin(id: string, secret: string) {
  const authentication = openid.ClientSecretBasic(secret);
  const config = await openid.discovery(new URL(stack.issuer), id, {}, authentication, insecure);
  const tokens = await runCodeFlow(config, { browser: openWebBrowser(stack.baseUrl) });
  expect(tokens.claims()).toMatchObject({ sub: 'alice', aud: id });
  const resourceServer = await registerResourceServer(stack);
  const introspection = await introspect(stack, resourceServer, { token: tokens.access_token });
  expect(introspection).toMatchObject({
    active: true,
    client_id: id,
    sub: 'alice',
    scope: 'openid email read',
  });
}

it('accepts an entity that registered itself: logins work, and its tokens are active', async () => {
  const member = await federation.relyingParty({ metadata: METADATA });
  const request = await federation.registrationRequest(member, stack.issuer);
  const { metadata } = await register('application/entity-statement+jwt', request);
  const { openid_relying_party: client } = metadata as { openid_relying_party: openid.ClientMetadata };
  await expectLogin(String(client['client_id']), String(client['client_secret']));
});

it('accepts an entity by the draft profile too, and shows its client to the operator', async () => {
  const member = await federation.relyingParty({ metadata: METADATA });
  const request = await federation.registrationRequest(member, undefined);
  const { metadata_policy: policy } = await register('application/jose', request);
  const { openid_relying_party: rules } = policy as Record<string, Record<string, { value: string }>>;
  const [id, secret] = [String(rules?.['client_id']?.value), String(rules?.['client_secret']?.value)];
  await expectLogin(id, secret);
  const { status, text } = await send(`${stack.baseUrl}/clients/${id}`, 'GET', stack.masterToken);
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({ client_id: id, client_secret: secret });
});

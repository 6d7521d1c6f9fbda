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

it('is told of by discovery and by our entity configuration, which agree', async () => {
  const announced = {
    client_registration_types_supported: ['automatic', 'explicit'],
    federation_registration_endpoint: `${stack.issuer}/federation/clients`,
    signed_jwks_uri: `${stack.issuer}/jwks.jwt`,
  };
  const document: Members = JSON.parse(
    await (await fetch(`${stack.baseUrl}/.well-known/openid-configuration`)).text(),
  );
  expect(document).toMatchObject(announced);
  const own = await (await fetch(`${stack.baseUrl}/.well-known/openid-federation`)).text();
  expect(decodeJwt(own)).toMatchObject({ sub: stack.issuer, metadata: { openid_provider: document } });
});

it('lets an entity in that registered itself: it logs people in, and introspection knows its tokens', async () => {
  const member = await federation.relyingParty({ metadata: METADATA });
  const request = await federation.registrationRequest(member, stack.issuer);
  const { metadata } = await register('application/entity-statement+jwt', request);
  const { openid_relying_party: client } = metadata as { openid_relying_party: openid.ClientMetadata };
  const config = await openid.discovery(
    new URL(stack.issuer),
    String(client['client_id']),
    client,
    openid.ClientSecretBasic(String(client['client_secret'])),
    insecure,
  );
  const tokens = await runCodeFlow(config, { browser: openWebBrowser(stack.baseUrl) });
  expect(tokens.claims()).toMatchObject({ sub: 'alice', aud: client['client_id'] });
  const resourceServer = await registerResourceServer(stack);
  expect(await introspect(stack, resourceServer, { token: tokens.access_token })).toMatchObject({
    active: true,
    client_id: client['client_id'],
    sub: 'alice',
  });
});

it('takes registrations in the older dialect, and shows their clients to the operator', async () => {
  const member = await federation.relyingParty({ metadata: METADATA });
  const request = await federation.registrationRequest(member, undefined);
  const { metadata_policy: policy } = await register('application/jose', request);
  const { openid_relying_party: members } = policy as Record<string, Record<string, { value: string }>>;
  const id = String(members?.['client_id']?.value);
  const { status, text } = await send(`${stack.baseUrl}/clients/${id}`, 'GET', stack.masterToken);
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({ client_id: id, client_secret: members?.['client_secret']?.value });
});

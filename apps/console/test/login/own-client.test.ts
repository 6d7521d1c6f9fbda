import { DomainError, nowSeconds, parseClientId } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { ownClientRegistration } from '../../src/login/own-client.js';
import { buildTestConsole, type TestConsole } from '../support/build-test-console.js';

const OWN = {
  clientId: 'vestibule-console',
  origin: 'https://console.example',
  scope: 'openid profile',
  allowHosts: [],
};

async function clientOf({ store }: TestConsole) {
  const id = parseClientId(OWN.clientId);
  return id && store.database.clients.find(id);
}

it('registers the console as a public client with its addresses, once', async () => {
  const here = await buildTestConsole();
  const register = () => ownClientRegistration(here.deps.registration, OWN).ensure();
  await Promise.all([register(), register(), register()]);
  const client = await clientOf(here);
  expect(client?.metadata).toMatchObject({
    token_endpoint_auth_method: 'none',
    application_type: 'web',
    redirect_uris: ['https://console.example/login/callback'],
    post_logout_redirect_uris: ['https://console.example/logged-out'],
    backchannel_logout_uri: 'https://console.example/backchannel-logout',
    backchannel_logout_session_required: true,
    scope: 'openid profile',
  });
  await register();
  expect((await clientOf(here))?.version).toBe(client?.version);
});

it('changes the client if its address has changed', async () => {
  const here = await buildTestConsole();
  await ownClientRegistration(here.deps.registration, OWN).ensure();
  const origin = 'http://localhost:8087';
  await ownClientRegistration(here.deps.registration, { ...OWN, origin }).ensure();
  const client = await clientOf(here);
  expect(client?.metadata).toMatchObject({
    application_type: 'native',
    redirect_uris: [`${origin}/login/callback`],
  });
  expect(client?.metadata).not.toHaveProperty('backchannel_logout_uri');
});

it('says why the rules for clients do not admit it, and tries again', async () => {
  const here = await buildTestConsole({ REGISTRABLE_GRANT_TYPES: 'client_credentials' });
  const { ensure, problem } = ownClientRegistration(here.deps.registration, OWN);
  await expect(ensure()).rejects.toThrow(DomainError);
  expect(problem()).toMatch(/^the client vestibule-console of the console cannot be registered: /);
  await expect(ensure()).rejects.toThrow(DomainError);
});

it('registers the client again within a minute after its deletion', async () => {
  const here = await buildTestConsole();
  const { ensure } = ownClientRegistration({ ...here.deps.registration, clock: here.clock }, OWN);
  await ensure();
  const id = (await clientOf(here))?.id;
  if (id === undefined) throw new TypeError('the client is not registered');
  await here.store.database.clients.delete(id, nowSeconds(here.clock));
  await ensure();
  expect(await clientOf(here)).toBeUndefined();
  here.clock.advanceSeconds(60);
  await ensure();
  expect(await clientOf(here)).toBeDefined();
});

import { createEgress } from '@vestibule/egress';
import { expect, it } from 'vitest';
import { composeAuthorization } from '../../src/index.js';
import { openBrowser } from '../support/browser.js';
import { authorizationAddress, aVerifier } from '../support/code-flow.js';
import { createDocumentFixture, NETWORK } from '../support/document-fixture.js';

const OWN_REDIRECT = 'https://app.example/cb';

it('sends responses only to a redirect URI that the document has, character by character', async () => {
  const { app, host } = await createDocumentFixture();
  const client_id = host.publish('/client.json', { redirect_uris: [OWN_REDIRECT] });
  const go = (redirect_uri: string) =>
    openBrowser(app).go(authorizationAddress({ client_id }, aVerifier().challenge, { redirect_uri }));
  const others = [
    `${OWN_REDIRECT}?next=https://evil.example/`,
    `${OWN_REDIRECT}/`,
    `${OWN_REDIRECT}/../redirect?to=https://evil.example/`,
    `${OWN_REDIRECT}#`,
    'https://app.example/redirect?to=https://evil.example/',
    'https://app.example:443/cb',
    'https://APP.example/cb',
    'https://app.example@evil.example/cb',
    'https://app.example.evil.example/cb',
    'http://app.example/cb',
  ];
  for (const other of others) {
    const { status, location, body } = await go(other);
    expect({ status, location }, other).toEqual({ status: 400, location: undefined });
    expect(body, other).not.toContain('evil.example');
  }
  expect(await go(OWN_REDIRECT)).toMatchObject({ status: 303 });
});

it('takes nothing from a document that only the server may set', async () => {
  const { host, find } = await createDocumentFixture();
  const url = host.publish('/client.json', {
    registration_access_token: 'chosen',
    preferred_client_secret: 'chosen'.repeat(10),
    registration_client_uri: 'http://127.0.0.1/',
    client_id_issued_at: 1,
    preferred_client_id: 'admin',
    status: 'suspended',
    grantedScopes: 'client-reg',
    rights: 'client-reg',
    origin: 'import',
    expires_at: 9_999_999_999,
    data: { role: 'admin' },
  });
  const client = await find(url);
  const { id, metadata, status, origin, grantedScopes, data } = client;
  for (const member of ['secret', 'secretHash', 'registrationToken', 'federation'])
    expect(client).not.toHaveProperty(member);
  expect({ id, status, origin, data }).toEqual({
    id: url,
    status: 'active',
    origin: 'metadata_document',
    data: undefined,
  });
  expect(grantedScopes).toEqual((await find(host.publish('/other.json'))).grantedScopes);
  expect(JSON.stringify(metadata)).not.toMatch(/chosen|127\.0\.0\.1\/|admin|suspended|client-reg|import/);
});

it('lets no document speak for another one, also not later', async () => {
  const { host, find, clock, stored } = await createDocumentFixture();
  const [own, other] = [host.publish('/own.json'), host.publish('/other.json')];
  await find(own);
  const before = await find(other);
  host.publish('/own.json', { client_id: other, redirect_uris: ['https://evil.example/cb'] });
  clock.advanceSeconds(3_600);
  await expect(find(own)).rejects.toMatchObject({ reason: 'content' });
  expect(await stored(other)).toEqual(before);
  expect((await stored(own))?.metadata.redirect_uris).toEqual([OWN_REDIRECT]);
});

it('reads no more of a document than its length says', async () => {
  const { host, find } = await createDocumentFixture();
  const url = host.publish('/client.json', {}, { 'content-length': '10' });
  await expect(find(url)).rejects.toMatchObject({ code: 'invalid_client' });
});

it.each([
  'https://\u0430pp.example/client.json',
  'https://xn--pp-6kc.example/client.json',
  'https://app.example.evil.example/client.json',
  'https://app.example%2eevil.example/client.json',
  'https://app.example@evil.example/client.json',
  'https://app.example\\@evil.example/client.json',
  'https://app.example:8443/client.json',
  'https://app.example./client.json',
  'https://evil.example/https://app.example/client.json',
  'https://evil.example/?app.example/client.json',
])('does not take %s for a document of a listed host', async (client_id) => {
  const { app, sql } = await createDocumentFixture({ CLIENT_ID_METADATA_DOCUMENTS: 'app.example' });
  const page = await openBrowser(app).go(authorizationAddress({ client_id }, aVerifier().challenge));
  expect(page).toMatchObject({ status: 400, location: undefined });
  expect(await sql('SELECT url FROM client_metadata_document')).toEqual([]);
});

it.each([
  ['127.0.0.1'],
  ['::1'],
  ['::ffff:127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['169.254.169.254'],
  ['8.8.8.8', '127.0.0.1'],
])('sends nothing to a host whose name leads inside: %s', async (...addresses) => {
  const { host, config, store, clock, record } = await createDocumentFixture();
  const port = new URL(`http://${host.host}`).port;
  const { documents } = composeAuthorization({ ...config, CLIENT_ID_METADATA_DOCUMENTS: 'any' }, store, {
    clock,
    documentEgress: createEgress({ lookup: async () => addresses, clock }),
  });
  const url = `https://app.example:${port}/client.json`;
  await expect(documents?.find(url as never, NETWORK)).rejects.toMatchObject({ reason: 'unavailable' });
  expect((await record(url))?.problem?.detail).toMatch(/^blocked/);
  expect(host.requests).toEqual([]);
});

import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import {
  authorizationAddress,
  authorizationParameters,
  aVerifier,
  exchange,
  logIn,
  postForm,
} from '../support/code-flow.js';
import { createDocumentFixture } from '../support/document-fixture.js';
import { notedStatements } from '../support/noted-statements.js';
import { anotherInstance } from '../support/other-instance.js';

/** Runs the same requests for a registered client and for one with a stored document. */
async function bothClients(settings: Readonly<Record<string, string>> = {}) {
  const fixture = await createDocumentFixture(settings, true);
  const { statements, tracer } = notedStatements();
  const { app } = await anotherInstance(fixture, tracer);
  const registered = await fixture.register({
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  });
  const document = { client_id: fixture.host.publish('/client.json') };
  await fixture.find(document.client_id);
  // The first request opens the keys.
  await app.inject(authorizationAddress(registered, aVerifier().challenge));
  return { app, here: fixture.app, registered, document, statements };
}

/** The read of a document returns its client too, and whether it is blocked. Some statements are parallel. */
const asRegistered = (names: readonly string[]) =>
  names
    .flatMap((name) => (name === 'client-document-find' ? ['client-find', 'client-block-covers'] : [name]))
    .toSorted();

it('needs the statements of a registered client for an authorization request', async () => {
  const { app, registered, document, statements } = await bothClients();
  const authorize = async (client: { readonly client_id: string }) =>
    statements(async () => {
      const { statusCode } = await app.inject(authorizationAddress(client, aVerifier().challenge));
      expect(statusCode).toBe(303);
    });
  const expected = (await authorize(registered)).toSorted();
  const names = await authorize(document);
  expect(names).toContain('client-document-find');
  expect(asRegistered(names)).toEqual(expected);
});

it('needs the statements of a registered client for a pushed request and for tokens', async () => {
  const { app, here, registered, document, statements } = await bothClients();
  const push = (client: { readonly client_id: string }) =>
    statements(async () => {
      const form = authorizationParameters(client, aVerifier().challenge);
      expect((await postForm(app, '/par', client, form)).status).toBe(201);
    });
  expect(asRegistered(await push(document))).toEqual((await push(registered)).toSorted());
  const tokens = async (client: { readonly client_id: string }) => {
    const { verifier, challenge } = aVerifier();
    const landed = await logIn(openBrowser(here), authorizationAddress(client, challenge));
    return statements(async () => {
      expect((await exchange(app, client, landed, verifier)).status).toBe(200);
    });
  };
  expect(asRegistered(await tokens(document))).toEqual((await tokens(registered)).toSorted());
});

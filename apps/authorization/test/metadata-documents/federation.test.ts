import { openSmallFederation } from '@vestibule/testkit/federation';
import { expect, it, onTestFinished } from 'vitest';
import { createAutomaticFixture, requestClaims, signRequest } from '../support/automatic-fixture.js';
import { openBrowser } from '../support/browser.js';
import { authorizationAddress, aVerifier } from '../support/code-flow.js';
import { createDocumentFixture } from '../support/document-fixture.js';

it('still registers federation entities when documents of every host are accepted', async () => {
  const fixture = await createAutomaticFixture({ CLIENT_ID_METADATA_DOCUMENTS: 'any' });
  const { app, now, stored } = fixture;
  const member = await fixture.member();
  const client_id = member.entity.id;
  const request = await signRequest(member.key, {
    ...requestClaims(client_id, now()),
    response_type: 'code',
    redirect_uri: 'https://rp.example/cb',
    scope: 'openid',
  });
  const query = new URLSearchParams({ client_id, request, response_type: 'code', scope: 'openid' });
  await openBrowser(app).go(`/authorize?${query}`);
  expect(await stored(member)).toMatchObject({ origin: 'federation_automatic' });
});

it('refuses the client of a withdrawn document although entities of federations may register', async () => {
  const federation = await openSmallFederation();
  onTestFinished(() => federation.close());
  const { app, host, clock, stored } = await createDocumentFixture({
    FEDERATION_ENABLED: 'true',
    FEDERATION_TRUST_ANCHORS: JSON.stringify(federation.trustAnchors),
    EGRESS_ALLOW_HOSTS: '127.0.0.1',
  });
  const client_id = host.publish('/client.json');
  const ask = () => openBrowser(app).go(authorizationAddress({ client_id }, aVerifier().challenge));
  expect((await ask()).status).toBe(303);
  host.remove('/client.json');
  clock.advanceSeconds(3_600);
  const { status, body } = await ask();
  expect(status).toBe(400);
  expect(body).toContain('The client ID metadata document could not be fetched.');
  expect(await stored(client_id)).toBeDefined();
});

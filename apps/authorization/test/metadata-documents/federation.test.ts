import { expect, it } from 'vitest';
import { createAutomaticFixture, requestClaims, signRequest } from '../support/automatic-fixture.js';
import { openBrowser } from '../support/browser.js';

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

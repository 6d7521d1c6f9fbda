import { epochSeconds } from '@vestibule/protocol';
import { findPairwiseSubject } from '@vestibule/tokens/issuing';
import { expect, it } from 'vitest';
import { buildTestApp, NOW } from '../support/build-test-app.js';
import { issued } from '../support/calls.js';
import { postForm } from '../support/code-flow.js';

const GRANTS = [
  'password',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:saml2-bearer',
];

async function aClientOfTheVictimsSector() {
  const here = await buildTestApp({}, false, true);
  const client = await here.register({
    subject_type: 'pairwise',
    redirect_uris: ['https://victim.example/cb'],
    grant_types: ['authorization_code', 'client_credentials', ...GRANTS],
  });
  const { providerRecords } = here.store.database;
  const nameAtVictim = () =>
    findPairwiseSubject(providerRecords, { sector: 'victim.example', accountId: 'alice' }, epochSeconds(NOW));
  return { ...here, client, nameAtVictim };
}

// A client that registers redirect URIs of another owner receives nothing there, and must not receive the pairwise
// subject elsewhere.
it('gives no pairwise subject in a grant without a redirect URI', async () => {
  const { app, client, nameAtVictim } = await aClientOfTheVictimsSector();
  for (const grant_type of GRANTS) {
    const form = {
      grant_type,
      username: 'alice',
      password: 'alice',
      assertion: 'e30.e30.x',
      scope: 'openid',
    };
    const { status, body } = await postForm(app, '/token', client, form);
    expect({ status, error: body.error }, grant_type).toEqual({
      status: 400,
      error: 'unsupported_grant_type',
    });
  }
  await postForm(app, '/token', client, { grant_type: 'client_credentials', scope: 'openid' });
  expect(await nameAtVictim()).toBeUndefined();
});

it('derives no pairwise subject at the direct authorization endpoint: the caller specifies sub', async () => {
  const { app, client, nameAtVictim } = await aClientOfTheVictimsSector();
  await issued(app, { client_id: client.client_id, sub: 'alice', scope: 'openid' });
  expect(await nameAtVictim()).toBeUndefined();
});

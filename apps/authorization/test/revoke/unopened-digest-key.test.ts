import { expect, it } from 'vitest';
import type { TestApp } from '../support/build-test-app.js';
import { FAULT, issued, NO_CONTENT, post } from '../support/calls.js';
import { basicOf, type CodeClient, postForm, tokensOf } from '../support/code-flow.js';
import { instancesApart } from '../support/unopened-key.js';

const UNKNOWN = 'u'.repeat(43);
const CLIENT = { grant_types: ['authorization_code', 'refresh_token'] };

/** A token of every kind that is stored under a digest. */
async function tokensFrom(app: TestApp['app'], client: CodeClient) {
  const { body } = await tokensOf(app, client);
  const direct = { client_id: client.client_id, sub: 'alice', scope: 'read' };
  return {
    direct: (await issued(app, direct)).access_token,
    login: String(body.access_token),
    refresh: String(body.refresh_token),
  };
}

function createFixture() {
  return instancesApart(async (here) => {
    const client = await here.register(CLIENT);
    const tokens = await tokensFrom(here.app, client);
    const initial = (await issued(here.app, { scope: 'client-reg', uses: 5 })).access_token;
    return { client, tokens, initial };
  });
}

it('does not report a token as revoked that may be under a digest key that cannot be decrypted, and revokes it once the key can be', async () => {
  const { here, there, made, rewrap } = await createFixture();
  const { app, store } = here;
  const { access_token: initial } = await issued(there, { scope: 'client-reg', uses: 5 });
  const tokens = [...Object.values(await tokensFrom(there, made.client)), initial];
  for (const token of [...tokens, UNKNOWN])
    expect(await post(app, '/direct-authz/revoke', { token })).toEqual(FAULT);
  await rewrap();
  expect(store.unopenedDataKeys()).toEqual([]);
  for (const token of [...tokens, UNKNOWN])
    expect(await post(app, '/direct-authz/revoke', { token })).toEqual(NO_CONTENT);
  expect(await here.sql('SELECT (SELECT count(*)::int FROM access_token) AS access')).toEqual([
    // The tokens from before.
    { access: 2 },
  ]);
});

it('still revokes tokens of every kind under the keys that it holds', async () => {
  const { here, made } = await createFixture();
  const { direct, login, refresh } = made.tokens;
  for (const token of [direct, login, refresh, made.initial])
    expect(await post(here.app, '/direct-authz/revoke', { token })).toEqual(NO_CONTENT);
  for (const body of [{ sub: 'unknown-id' }, { token: 'e30.e30.e30' }, { token: 'short' }])
    expect(await post(here.app, '/direct-authz/revoke', body)).toEqual(NO_CONTENT);
  expect(
    await here.sql(`SELECT FROM access_token UNION ALL SELECT FROM refresh_token
      UNION ALL SELECT FROM initial_access_token`),
  ).toEqual([]);
});

it('does not report a token as revoked to a client either if it may not be', async () => {
  const { here, there, made, rewrap } = await createFixture();
  const { client, tokens: held } = made;
  const tokens = Object.values(await tokensFrom(there, client));
  const revoke = (token: string, hint = {}) =>
    here.app.inject({
      method: 'POST',
      url: '/token/revoke',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: basicOf(client) },
      payload: new URLSearchParams({ token, ...hint }).toString(),
    });
  for (const token of [...tokens, UNKNOWN])
    for (const hint of [{}, { token_type_hint: 'access_token' }, { token_type_hint: 'refresh_token' }])
      expect((await revoke(token, hint)).statusCode).toBe(500);
  // Revoking the refresh token of a login revokes its other tokens.
  for (const token of [held.direct, held.refresh]) expect((await revoke(token)).statusCode).toBe(200);
  for (const token of ['short', 'e30.e30.e30']) expect((await revoke(token)).statusCode).toBe(200);
  expect(await here.sql('SELECT FROM access_token')).toHaveLength(2);
  expect(await here.sql('SELECT FROM refresh_token')).toHaveLength(1);
  await rewrap();
  for (const token of [...tokens, UNKNOWN]) expect((await revoke(token)).statusCode).toBe(200);
  expect(await here.sql('SELECT FROM access_token UNION ALL SELECT FROM refresh_token')).toEqual([]);
});

it('never revokes a token of another client, whatever keys are missing', async () => {
  const { here, made } = await createFixture();
  const other = await here.register(CLIENT);
  for (const token of Object.values(made.tokens))
    expect((await postForm(here.app, '/token/revoke', other, { token })).status).toBe(200);
  expect(await here.sql('SELECT FROM access_token')).toHaveLength(2);
});

import { epochSeconds } from '@vestibule/protocol';
import { decodeJwt } from 'jose';
import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp, ISSUER, type TestApp } from '../support/build-test-app.js';
import { postForm, tokensOf } from '../support/code-flow.js';

const CLIENT = {
  grant_types: ['authorization_code', 'refresh_token'],
  scope: 'openid offline_access read',
  backchannel_logout_uri: 'https://app.example/out',
  backchannel_logout_session_required: true,
};
const API = {
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
  scope: `${ISSUER}/token/introspect`,
  resource_identifiers: ['https://api.example/'],
};
const OFFLINE = { scope: 'openid offline_access read', prompt: 'consent' };
const RESOURCE = { ...OFFLINE, resource: 'https://api.example/' };

/** Alice with tokens that outlast her session: one for an access token of each format. */
async function createFixture(LOGOUT_ENDS_OFFLINE_ACCESS_TOKENS: string) {
  const settings = { RESOURCE_TOKEN_FORMAT: 'jwt', LOGOUT_ENDS_OFFLINE_ACCESS_TOKENS };
  const test = await buildTestApp(settings, false, true);
  const [client] = [await test.register(CLIENT), await test.register(API)];
  const browser = openBrowser(test.app);
  const grants = [
    (await tokensOf(test.app, client, OFFLINE, browser)).body,
    (await tokensOf(test.app, client, RESOURCE, browser)).body,
  ];
  expect(grants.map(({ access_token: token }) => token.split('.').length)).toEqual([1, 3]);
  const [{ id, sid } = {}] = await test.sql(
    'SELECT session.id, sid FROM session JOIN session_client ON session_id = session.id',
  );
  return { ...test, client, grants, session: { id: String(id), subject: 'alice' }, sid: String(sid) };
}

type Fixture = Awaited<ReturnType<typeof createFixture>>;

/** Whether access tokens are active: identifier-based ones as stored, a JWT unless revoked. */
async function areActive(
  { store, sql, client }: TestApp & Pick<Fixture, 'client'>,
  tokens: readonly string[],
) {
  const active: boolean[] = [];
  for (const token of tokens)
    if (token.includes('.')) {
      const { jti = '', iat = 0, sub = '', sid } = decodeJwt<{ sid?: string }>(token);
      const [status] = await store.database.revocations.statuses([
        {
          issuer: ISSUER,
          jti,
          clientId: client.client_id,
          subject: sub,
          earliestIssuedAt: epochSeconds(iat),
          ...(sid !== undefined && { sessionId: sid }),
        },
      ]);
      active.push(status?.isRevoked === false);
    } else {
      const digests = store.digester.availableDigests('access-token', token);
      active.push(
        (await sql('SELECT FROM access_token WHERE digest = ANY($1::bytea[])', [digests])).length > 0,
      );
    }
  return active;
}

/** Every way in which a session ends. */
const ENDS: Readonly<
  Record<string, (fixture: Fixture, now: ReturnType<typeof epochSeconds>) => Promise<unknown>>
> = {
  'the logout page, for the provider': ({ store, session }, now) =>
    store.database.logoutSessions.end(session, now),
  'the logout page, for the client alone': ({ store, session, client }, now) =>
    store.database.logoutSessions.leave(session, client.client_id, now),
  'an operator, by its name': ({ store, sid }, now) => store.database.providerRecords.sessions.end(sid, now),
  'an operator, by the end-user': ({ store }, now) =>
    store.database.providerRecords.sessions.endOfSubject('alice', now),
  'a revocation of what belongs to it': ({ store, sid }, now) =>
    store.database.revocations.revokeSession(sid, now),
  expiry: async ({ store, sql }, now) => {
    await sql('UPDATE session SET expires_at = to_timestamp($1)', [now - 1]);
    await store.database.expiredSessions.endExpired(now);
  },
};

const current = () => epochSeconds(Math.floor(Date.now() / 1_000));
const textsOf = (grants: Fixture['grants']) => grants.map(({ access_token: token }) => String(token));

/** New access tokens by the refresh tokens. */
function renewed({ app, client, grants }: Fixture) {
  const form = (token: string) => ({ grant_type: 'refresh_token', refresh_token: token });
  return Promise.all(grants.map(({ refresh_token: t }) => postForm(app, '/token', client, form(t))));
}

it.each(Object.entries(ENDS))(
  'leaves access tokens of offline_access active after an end by %s, unless the settings end them',
  async (_name, end) => {
    const kept = await createFixture('false');
    await end(kept, current());
    expect(await areActive(kept, textsOf(kept.grants))).toEqual([true, true]);
    const ended = await createFixture('true');
    expect(await areActive(ended, textsOf(ended.grants))).toEqual([true, true]);
    await end(ended, current());
    expect(await areActive(ended, textsOf(ended.grants))).toEqual([false, false]);
  },
);

it('keeps the refresh tokens of offline_access, which give access tokens that are active after the logout', async () => {
  const here = await createFixture('true');
  // A token of the second of the logout is revoked with those before it.
  await here.store.database.logoutSessions.end(here.session, epochSeconds(current() - 1));
  const responses = await renewed(here);
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  expect(await areActive(here, textsOf(responses.map(({ body }) => body)))).toEqual([true, true]);
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { REGISTERED, redirectFixture } from '../support/redirect-fixture.js';
import { BACK } from '../support/test-service.js';
import { postDecision, visit } from '../support/visit.js';

const LOOKALIKES = [
  ...['https://app.example', 'https://app.example/', `${BACK}/`, `${BACK}?`, `${BACK}#`, `${BACK}?x=1`],
  ...[`${BACK}#fragment`, `${BACK}/../logged-out`, `${BACK}%20`, ` ${BACK}`, `${BACK} `, `${BACK}\t`],
  ...['HTTPS://app.example/logged-out', 'https://APP.example/logged-out', 'http://app.example/logged-out'],
  ...['https://app.example:443/logged-out', 'https://app.example./logged-out', '//app.example/logged-out'],
  ...['https:app.example/logged-out', 'https:///app.example/logged-out', '/logged-out', 'logged-out'],
  ...['https://app.example@evil.example/logged-out', 'https://user@app.example/logged-out'],
  ...['https://evil.example/https://app.example/logged-out', 'https://app.example.evil.example/logged-out'],
  ...['https://app.example\\@evil.example/', 'https://app.example%2F@evil.example', 'https://evil.example'],
  ...['javascript:alert(1)', 'data:text/html,x', 'com.example.app:/done/', 'com.example.app:/', '*', '.*'],
  ...['https://app.example/bye', 'https://app.example/bye?from=op&x', 'https://app.example/bye?from=OP'],
  ...[
    'https://b.example/',
    'https://app.example/logged%2Dout',
    `${BACK}\u200b`,
    `${BACK}\r\nLocation: //evil`,
  ],
];

it('redirects to an address that the client registered character by character, and to no other', async () => {
  const { app, hint } = await redirectFixture();
  for (const uri of REGISTERED)
    expect(await visit(app, { id_token_hint: hint, post_logout_redirect_uri: uri })).toMatchObject({
      status: 303,
      location: uri,
      headers: { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' },
    });
  for (const uri of LOOKALIKES) {
    const page = await visit(app, { id_token_hint: hint, post_logout_redirect_uri: uri });
    expect({ status: page.status, location: page.location }, uri).toEqual({
      status: 200,
      location: undefined,
    });
    expect(page.body).toContain('web address to return to isn’t registered for');
    expect(page.policy).toContain(`form-action 'self';`);
  }
});

it('redirects nowhere without a hint, unless the settings allow client_id alone', async () => {
  const { app } = await redirectFixture();
  const request = { client_id: 'a', post_logout_redirect_uri: BACK };
  expect(await visit(app, request)).toMatchObject({ status: 200, location: undefined });
  const lenient = await redirectFixture({ LOGOUT_REDIRECT_WITHOUT_HINT: 'true' });
  expect(await visit(lenient.app, request)).toMatchObject({ status: 303, location: BACK });
  for (const other of [
    { client_id: 'b' },
    { client_id: 'unknown-id' },
    { client_id: '\u0001' },
    { id_token_hint: 'x' },
  ])
    expect(await visit(lenient.app, { ...request, ...other })).toMatchObject({
      status: 200,
      location: undefined,
    });
});

it('redirects nowhere for a client as soon as an operator has blocked it, before it is deleted', async () => {
  const { app, hint, sql } = await redirectFixture({ LOGOUT_REDIRECT_WITHOUT_HINT: 'true' });
  const requests = [{ id_token_hint: hint }, { client_id: 'a' }];
  const locations = () =>
    Promise.all(
      requests.map(
        async (request) => (await visit(app, { ...request, post_logout_redirect_uri: BACK })).location,
      ),
    );
  expect(await locations()).toEqual([BACK, BACK]);
  await sql(`INSERT INTO client_block (kind, value, blocked_at) VALUES ('host', 'app.example', now())`);
  expect(await locations()).toEqual([undefined, undefined]);
});

it('redirects by client_id alone if the settings allow it, without naming the client or ending its session', async () => {
  const { app, sql, logIn } = await redirectFixture({ LOGOUT_REDIRECT_WITHOUT_HINT: 'true' });
  const login = await logIn(['a']);
  const request = { client_id: 'a', post_logout_redirect_uri: BACK };
  const page = await visit(app, request, login);
  expect(page.body).not.toContain('Client a');
  expect(await postDecision(app, page, 'decline', login)).toMatchObject({ status: 303, location: BACK });
  expect(await sql('SELECT client_id FROM session_client')).toEqual([{ client_id: 'a' }]);
  await sql(
    `UPDATE client SET metadata = metadata || '{"frontchannel_logout_uri": "https://a.example/front"}' WHERE id = 'a'`,
  );
  const confirmed = await postDecision(app, await visit(app, request, login), 'accept', login);
  expect(confirmed.body).toContain(`<a class="way" href="${BACK}" rel="noreferrer">Continue</a>`);
});

it('redirects nowhere for a deleted client', async () => {
  const { app, hint, sql } = await redirectFixture();
  await sql(`DELETE FROM client WHERE id = 'a'`);
  const request = { id_token_hint: hint, post_logout_redirect_uri: BACK };
  expect(await visit(app, request)).toMatchObject({ status: 200, location: undefined });
});

it('returns state once and unchanged, and keeps the registered query', async () => {
  const { app, hint } = await redirectFixture();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), async (state) => {
      fc.pre(new TextEncoder().encode(state).length <= 2_048 && !state.includes('\0'));
      for (const uri of REGISTERED) {
        const { location = '' } = await visit(app, {
          id_token_hint: hint,
          post_logout_redirect_uri: uri,
          state,
        });
        const { searchParams } = new URL(location);
        expect(searchParams.getAll('state')).toEqual([state]);
        expect(searchParams.get('from')).toBe(uri.includes('from') ? 'op' : null);
      }
    }),
    { numRuns: 350 },
  );
});

it('refuses a state above two kibibytes', async () => {
  const { app, hint } = await redirectFixture();
  const request = { id_token_hint: hint, post_logout_redirect_uri: BACK };
  expect(await visit(app, { ...request, state: 'é'.repeat(1_024) })).toMatchObject({ status: 303 });
  expect(await visit(app, { ...request, state: `${'é'.repeat(1_024)}x` })).toMatchObject({
    status: 400,
    location: undefined,
  });
});

it('redirects back after each decision, with a Content-Security-Policy that allows it', async () => {
  const { app, hint, logIn } = await redirectFixture();
  for (const decision of ['accept', 'decline'] as const)
    for (const uri of REGISTERED) {
      const login = await logIn(['a']);
      const page = await visit(app, { id_token_hint: hint, post_logout_redirect_uri: uri }, login);
      const target = uri.startsWith('https:') ? 'https://app.example' : 'com.example.app:';
      expect(page.policy).toContain(`form-action 'self' ${target};`);
      expect(await postDecision(app, page, decision, login)).toMatchObject({ status: 303, location: uri });
    }
});

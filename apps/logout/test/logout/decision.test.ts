import { expect, it } from 'vitest';
import { aTestService, BACK, COOKIE, type TestService } from '../support/test-service.js';
import { fieldsOf, postDecision, submit, titleOf, visit } from '../support/visit.js';

const FORGOTTEN = `${COOKIE}=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax`;

/** Two clients with a back channel, at which alice is logged in. */
async function createFixture() {
  const service = await aTestService();
  for (const id of ['a', 'b'])
    await service.register(id, { backchannel_logout_uri: `https://${id}.example/back` });
  const login = await service.logIn(['a', 'b']);
  const hint = await service.idToken('a', { sessionId: login.sid('a') });
  return { ...service, login, hint };
}

const sessions = async ({ sql }: Pick<TestService, 'sql'>) =>
  (await sql('SELECT session_id, client_id FROM session_client ORDER BY client_id')).map(
    ({ session_id, client_id }) => `${session_id} ${client_id}`,
  );

const notified = async ({ sql }: Pick<TestService, 'sql'>) =>
  (await sql('SELECT client_id FROM logout_delivery ORDER BY client_id')).map(({ client_id }) => client_id);

it('asks whether to log out of the provider too, and changes nothing until then', async () => {
  const here = await createFixture();
  const { app, login, hint } = here;
  const page = await visit(app, { id_token_hint: hint }, login);
  expect(page).toMatchObject({ status: 200, setCookie: undefined, location: undefined });
  expect(titleOf(page)).toBe('Log out of as.example too?');
  expect(page.body).toContain('Client a');
  expect(await sessions(here)).toEqual(['session-1 a', 'session-1 b']);
  expect(await notified(here)).toEqual([]);
});

it('ends the session when the end-user accepts, notifies every client including the requesting one, and redirects back', async () => {
  const here = await createFixture();
  const { app, login, hint } = here;
  const request = { id_token_hint: hint, post_logout_redirect_uri: BACK, state: 'a b&c' };
  const landed = await postDecision(app, await visit(app, request, login), 'accept', login);
  expect(landed).toMatchObject({
    status: 303,
    location: `${BACK}?state=a%20b%26c`,
    setCookie: FORGOTTEN,
  });
  expect(await sessions(here)).toEqual([]);
  expect(await notified(here)).toEqual(['a', 'b']);
});

it('ends the session at the requesting client alone when the end-user declines, and redirects back', async () => {
  const here = await createFixture();
  const { app, login, hint } = here;
  const request = { id_token_hint: hint, post_logout_redirect_uri: BACK };
  const landed = await postDecision(app, await visit(app, request, login), 'decline', login);
  expect(landed).toMatchObject({ status: 303, location: BACK, setCookie: undefined });
  expect(await sessions(here)).toEqual(['session-1 b']);
  expect(await notified(here)).toEqual(['a']);
});

it('shows the account and what each decision does, with and without a client', async () => {
  const { app, login, hint } = await createFixture();
  const buttons = ({ body }: { readonly body: string }) =>
    [...body.matchAll(/<button[^>]*>([^<]*)<\/button>/g)].map(([, words]) =>
      words?.replaceAll(/[\u2068\u2069]/g, ''),
    );
  const confirmationPage = await visit(app, { id_token_hint: hint }, login);
  expect(confirmationPage.body).toContain('You’re logged in as \u2068alice\u2069.');
  expect(buttons(confirmationPage)).toEqual(['Yes, log out', 'No, only log out of Client a']);
  expect(buttons(await visit(app, {}, login))).toEqual(['Yes, log out', 'No, stay logged in']);
  const named = await aTestService({
    deps: { accountName: async (subject) => `${subject}@example.com` },
  });
  const other = await named.logIn();
  expect((await visit(named.app, {}, other)).body).toContain('\u2068alice@example.com\u2069');
});

it('says what happened if there is nowhere to return to', async () => {
  const { app, login, hint } = await createFixture();
  const ended = await postDecision(app, await visit(app, { id_token_hint: hint }, login), 'accept', login);
  expect(titleOf(ended)).toBe('You’re logged out');
  expect(ended.body).toContain('You can close this window.');
  const again = await visit(app, { id_token_hint: hint }, login);
  expect(titleOf(again)).toBe('You’re not logged in');
  expect(again.setCookie).toBe(FORGOTTEN);
});

it('redirects back at once, and ends nothing, if there is no session', async () => {
  const here = await createFixture();
  const { app, hint } = here;
  const request = { id_token_hint: hint, post_logout_redirect_uri: BACK, state: 's' };
  expect(await visit(app, request)).toMatchObject({ status: 303, location: `${BACK}?state=s` });
  expect(await sessions(here)).toEqual(['session-1 a', 'session-1 b']);
});

it('accepts the same by POST, and has a form without the cookie posted again from this site, never as a GET', async () => {
  const { app, login, hint } = await createFixture();
  const request = { id_token_hint: hint, post_logout_redirect_uri: BACK, state: 's' };
  expect(titleOf(await submit(app, request, login))).toBe('Log out of as.example too?');
  const sent = await submit(app, request);
  expect(sent).toMatchObject({ status: 200, location: undefined });
  expect(titleOf(sent)).toBe('One more step');
  const again = fieldsOf(sent);
  expect(again).toEqual({ ...request, continued: '1' });
  // The form may lead back to the client if there is no session.
  expect(sent.policy).toMatch(/script-src 'sha256-[\w+/=]{44}'; form-action 'self' https:\/\/app\.example;/);
  expect(titleOf(await submit(app, again, login))).toBe('Log out of as.example too?');
  expect(await submit(app, again)).toMatchObject({ status: 303, location: `${BACK}?state=s` });
});

it('shows and ends nothing of a client that is named by client_id alone, whatever the end-user decides', async () => {
  const here = await createFixture();
  const { app, login } = here;
  const request = { client_id: 'a', post_logout_redirect_uri: BACK };
  const page = await visit(app, request, login);
  expect(titleOf(page)).toBe('Log out of as.example?');
  expect(page.body).not.toContain('Client a');
  const declined = await postDecision(app, page, 'decline', login);
  expect(titleOf(declined)).toBe('You’re still logged in to as.example');
  expect(declined.body).not.toContain('Client a');
  expect(await sessions(here)).toEqual(['session-1 a', 'session-1 b']);
  expect(await notified(here)).toEqual([]);
});

it('skips the confirmation for a client that the operator trusts if the hint belongs to this session, and asks otherwise', async () => {
  const settings = { LOGOUT_SKIP_CONSENT_CLIENT_IDS: 'trusted' };
  const { app, register, logIn, idToken, sql } = await aTestService({ settings });
  // The client's own registration makes no difference.
  for (const id of ['trusted', 'other'])
    await register(id, { skip_logout_consent: true }, { data: { skip_logout_consent: true } });
  const [login, bobs] = [await logIn(['trusted', 'other']), await logIn(['trusted'], 'bob')];
  const asks = async (request: Record<string, string>, who = login) => {
    const page = await visit(app, { post_logout_redirect_uri: BACK, ...request }, who);
    return page.status === 200 && titleOf(page)?.startsWith('Log out of as.example');
  };
  const alices = await idToken('trusted', { sessionId: login.sid('trusted') });
  expect(await asks({ id_token_hint: await idToken('other') })).toBe(true);
  expect(await asks({ client_id: 'trusted' })).toBe(true);
  expect(await asks({ client_id: 'trusted', id_token_hint: 'x' })).toBe(true);
  expect(await asks({ id_token_hint: alices }, bobs)).toBe(true);
  expect(await asks({ id_token_hint: await idToken('trusted', { subject: 'bob' }) })).toBe(true);
  expect(await sql('SELECT id FROM session')).toHaveLength(2);
  const request = { id_token_hint: alices, post_logout_redirect_uri: BACK, state: 's' };
  const landed = await visit(app, request, login);
  expect(landed).toMatchObject({ status: 303, location: `${BACK}?state=s`, setCookie: FORGOTTEN });
  expect(await sql('SELECT subject FROM session')).toEqual([{ subject: 'bob' }]);
});

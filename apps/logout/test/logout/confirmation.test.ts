import type { Server } from '@vestibule/http';
import { expect, it, onTestFinished } from 'vitest';
import { aTestService, BACK, type TestService } from '../support/test-service.js';
import { fieldsOf, postDecision, submit, titleOf, visit } from '../support/visit.js';

/** A client with a back channel, at which alice is logged in. */
async function createFixture() {
  const service = await aTestService();
  await service.register('a', { backchannel_logout_uri: 'https://a.example/back' });
  const login = await service.logIn(['a']);
  const hint = await service.idToken('a', { sessionId: login.sid('a') });
  return { ...service, login, hint, request: { id_token_hint: hint, post_logout_redirect_uri: BACK } };
}

const count = async ({ sql }: Pick<TestService, 'sql'>, table: string) =>
  Number((await sql(`SELECT count(*) FROM ${table}`))[0]?.['count']);

it('ends a session once, however many parallel decisions are posted, on any instance', async () => {
  const here = await createFixture();
  const other = here.anotherInstance();
  onTestFinished(() => other.close());
  const { login, request } = here;
  const page = await visit(here.app, request, login);
  const form = { ...fieldsOf(page), decision: 'accept' };
  const send = (app: Server) => submit(app, form, login);
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) => send(index % 2 === 0 ? here.app : other)),
  );
  expect(await count(here, 'logout_delivery')).toBe(1);
  expect(await count(here, 'session')).toBe(0);
  for (const { status, location, body } of responses)
    if (status !== 303) expect(titleOf({ body })).toBe('Log out of as.example too?');
    else expect(location).toBe(BACK);
});

it('ends a session once when fifty confirmation pages are posted in parallel', async () => {
  const here = await createFixture();
  const { app, login, request } = here;
  const pages = await Promise.all(Array.from({ length: 50 }, () => visit(app, request, login)));
  const landed = await Promise.all(pages.map((page) => postDecision(app, page, 'accept', login)));
  expect(await count(here, 'logout_delivery')).toBe(1);
  for (const { status, location } of landed)
    expect({ status, location }).toEqual({ status: 303, location: BACK });
});

it('accepts a decision once, and asks again if the session continues', async () => {
  const here = await createFixture();
  const { app, login, request } = here;
  const page = await visit(app, request, login);
  await postDecision(app, page, 'decline', login);
  const again = await postDecision(app, page, 'accept', login);
  expect(again.body).toContain('You already answered');
  expect(await count(here, 'session')).toBe(1);
  expect(await postDecision(app, again, 'accept', login)).toMatchObject({ status: 303, location: BACK });
  expect(await count(here, 'session')).toBe(0);
});

it('continues if the session has already ended: two tabs, and the back button', async () => {
  const { app, login, request } = await createFixture();
  const [one, other] = [await visit(app, request, login), await visit(app, request, login)];
  expect(await postDecision(app, one, 'accept', login)).toMatchObject({ status: 303, location: BACK });
  for (const page of [one, other])
    for (const decision of ['accept', 'decline'] as const) {
      const { status, location, setCookie } = await postDecision(app, page, decision, login);
      expect({ status, location }).toEqual({ status: 303, location: BACK });
      expect(setCookie).toContain('Expires=Thu, 01 Jan 1970');
    }
});

it('never ends a session that began after the confirmation page, nor one of another browser', async () => {
  const here = await createFixture();
  const { app, login, request, logIn } = here;
  const page = await visit(app, request, login);
  const later = await logIn(['a']);
  const bobs = await logIn(['a'], 'bob');
  for (const other of [later, bobs]) {
    const confirmationPage = await postDecision(app, page, 'accept', other);
    expect(confirmationPage.body).toContain('This page was out of date.');
  }
  expect(await count(here, 'session')).toBe(3);
  expect(await count(here, 'logout_delivery')).toBe(0);
});

it('accepts a decision for ten minutes', async () => {
  const here = await createFixture();
  const { app, login, request, clock } = here;
  const page = await visit(app, request, login);
  clock.advanceSeconds(600);
  const late = await postDecision(app, page, 'accept', login);
  expect(late.body).toContain('This page was out of date.');
  expect(await count(here, 'session')).toBe(1);
  clock.advanceSeconds(599);
  expect(await postDecision(app, late, 'accept', login)).toMatchObject({ status: 303 });
});

it('ends nothing by a form that was forged, issued for another confirmation, or changed', async () => {
  const here = await createFixture();
  const { app, login, request } = here;
  const fields = fieldsOf(await visit(app, request, login));
  const confirmation = fields['confirmation'] ?? '';
  const [nonce, expiry, digest = ''] = confirmation.split('.');
  const forged = [
    { ...fields, confirmation: 'x' },
    { ...fields, confirmation: `${nonce}.${Number(expiry) + 600}.${digest}` },
    { ...fields, confirmation: `${nonce}.${expiry}.${digest.slice(1)}A` },
    { ...fields, confirmation: [...confirmation].reverse().join('') },
    { confirmation },
    { ...fields, state: 'another' },
    { ...fields, post_logout_redirect_uri: 'https://app.example/' },
    { ...fields, client_id: 'a' },
    { ...request },
  ];
  for (const form of forged) {
    const { status, location } = await submit(app, { ...form, decision: 'accept' }, login);
    expect({ status, location }, JSON.stringify(form)).toEqual({ status: 200, location: undefined });
  }
  expect(await count(here, 'session')).toBe(1);
  expect(await count(here, 'logout_delivery')).toBe(0);
});

it('ends nothing by a GET, whatever its parameters', async () => {
  const here = await createFixture();
  const { app, login, request } = here;
  const fields = fieldsOf(await visit(app, request, login));
  for (const extra of [{ decision: 'accept' }, { ...fields, decision: 'accept' }])
    expect(await visit(app, { ...request, ...extra }, login)).toMatchObject({ status: 200 });
  expect(await count(here, 'session')).toBe(1);
});

it('keeps the session of a browser whose form came from another site without the cookie', async () => {
  const { app, request } = await createFixture();
  const forms = [
    { confirmation: 'x', decision: 'accept' },
    { ...request, confirmation: 'x', decision: 'accept' },
    { continued: '1' },
    { ...request, continued: '1' },
  ];
  for (const form of forms)
    expect(await submit(app, form), JSON.stringify(form)).toMatchObject({ setCookie: undefined });
  expect(await visit(app, request)).toMatchObject({ status: 303, location: BACK, setCookie: undefined });
});

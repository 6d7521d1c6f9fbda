import type { Server } from '@vestibule/http';
import { expect, it } from 'vitest';
import { attributesOf } from '../support/dom.js';
import { aTestService, BACK } from '../support/test-service.js';
import { postDecision, submit, titleOf, visit } from '../support/visit.js';

/** `count` clients, each with a front channel on a host of its own, at all of which alice is logged in. */
async function createFixture(count: number) {
  const service = await aTestService();
  const ids = Array.from({ length: count }, (_, index) => `c${index}`);
  for (const [index, id] of ids.entries())
    await service.register(id, {
      frontchannel_logout_uri: `https://${id}.example/front?x=%20y`,
      frontchannel_logout_session_required: index % 2 === 0,
    });
  const login = await service.logIn(ids);
  const hint = await service.idToken('c0', { sessionId: login.sid('c0') });
  return { ...service, login, hint };
}

const framesOf = (body: string) =>
  attributesOf(body)
    .filter(([element, name]) => element === 'iframe' && name === 'src')
    .map(([, , value]) => value);

/** The state that the page shows for each client before any script runs. */
const statesOf = (body: string) =>
  [
    ...body.matchAll(
      /<li data-frame="(\d*)" data-delivery="(\d*)"><bdi>([^<]*)<\/bdi> <span class="\w*">([^<]*)<\/span>/g,
    ),
  ].map(([, frame, delivery, name, state]) => ({ name, frame, delivery, state }));

const receiptOf = (body: string) => /data-receipt="([^"]+)"/.exec(body)?.[1] ?? '';

async function statesFrom(app: Server, receipt: string): Promise<unknown> {
  const { status, body } = await submit(app, { receipt });
  expect(status).toBe(200);
  return JSON.parse(body);
}

it('loads one page of each client of the session, with iss and sid if it registered that, and no other pages', async () => {
  const { app, login, hint } = await createFixture(3);
  const page = await postDecision(app, await visit(app, { id_token_hint: hint }, login), 'accept', login);
  expect(titleOf(page)).toBe('You’re logged out');
  const session = (id: string) => `&iss=https%3A%2F%2Fas.example&sid=${login.sid(id)}`;
  expect(framesOf(page.body).toSorted()).toEqual([
    `https://c0.example/front?x=%20y${session('c0')}`,
    'https://c1.example/front?x=%20y',
    `https://c2.example/front?x=%20y${session('c2')}`,
  ]);
  const [, sources = ''] = /frame-src ([^;]*);/.exec(page.policy ?? '') ?? [];
  expect(sources.split(' ').toSorted()).toEqual(['c0', 'c1', 'c2'].map((id) => `https://${id}.example`));
  expect(page.policy).toMatch(/script-src 'sha256-[\w+/=]{44}';/);
  for (const part of ['sandbox="allow-scripts allow-same-origin"', 'referrerpolicy="no-referrer"'])
    expect(page.body.split(part)).toHaveLength(4);
});

it('continues from that page to the requested address, with script and without', async () => {
  const { app, login, hint } = await createFixture(1);
  const request = { id_token_hint: hint, post_logout_redirect_uri: BACK, state: '"\'><b>' };
  const page = await postDecision(app, await visit(app, request, login), 'accept', login);
  const address = `${BACK}?state=%22%27%3E%3Cb%3E`;
  expect(page).toMatchObject({ status: 200, location: undefined });
  expect(page.body).toContain(`<noscript><meta http-equiv="refresh" content="3;url=${address}"></noscript>`);
  const attributes = attributesOf(page.body);
  expect(attributes).toContainEqual(['p', 'data-next', address]);
  expect(attributes).toContainEqual(['a', 'href', address]);
});

it('loads the page of the requesting client alone when the end-user declines', async () => {
  const { app, login, hint } = await createFixture(3);
  const page = await postDecision(app, await visit(app, { id_token_hint: hint }, login), 'decline', login);
  expect(titleOf(page)).toBe('You’re still logged in to as.example');
  expect(framesOf(page.body)).toEqual([expect.stringContaining('https://c0.example/front')]);
  expect(page.policy).toContain('frame-src https://c0.example;');
});

it('loads at most fifty pages, however many clients there are', async () => {
  const { app, login, hint } = await createFixture(200);
  const page = await postDecision(app, await visit(app, { id_token_hint: hint }, login), 'accept', login);
  expect(framesOf(page.body)).toHaveLength(50);
});

it('loads the page of the requesting client first, and shows clients beyond the limit as not reached', async () => {
  const { app, login, idToken } = await createFixture(60);
  const hint = await idToken('c59', { sessionId: login.sid('c59') });
  const page = await postDecision(app, await visit(app, { id_token_hint: hint }, login), 'accept', login);
  expect(framesOf(page.body)[0]).toMatch(/^https:\/\/c59\.example\//);
  expect(statesOf(page.body).filter(({ state }) => state === 'Asked to log you out')).toHaveLength(50);
  expect(statesOf(page.body).filter(({ state }) => state === 'Not reached')).toHaveLength(10);
});

it('lists clients of every kind, and shows none as logged out before it has responded', async () => {
  const { app, register, logIn, sql, idToken } = await aTestService();
  await register('both', {
    frontchannel_logout_uri: 'https://both.example/front',
    backchannel_logout_uri: 'https://both.example/back',
  });
  await register('back', { backchannel_logout_uri: 'https://back.example/back' });
  await register('none');
  await register('asking');
  const login = await logIn(['both', 'back', 'none', 'asking']);
  const request = { id_token_hint: await idToken('asking', { sessionId: login.sid('asking') }) };
  const page = await postDecision(app, await visit(app, request, login), 'accept', login);
  // The requesting client has sent the end-user here: without a channel it needs no notification.
  expect(statesOf(page.body)).toEqual([
    { name: 'Client back', frame: '', delivery: '0', state: '' },
    { name: 'Client both', frame: '0', delivery: '1', state: 'Asked to log you out' },
    { name: 'Client none', frame: '', delivery: '', state: 'Not reached' },
  ]);
  expect(page.body).toContain('>Some apps couldn’t be reached, so you may still be logged in to them.');
  expect(page.policy).toContain(`connect-src 'self'`);
  const receipt = receiptOf(page.body);
  expect(await statesFrom(app, receipt)).toEqual(['waiting', 'waiting']);
  await sql(`UPDATE logout_delivery SET last_error = 'timeout' WHERE client_id = 'back'`);
  await sql(`UPDATE logout_delivery SET state = 'delivered', last_status = 204 WHERE client_id = 'both'`);
  expect(await statesFrom(app, receipt)).toEqual(['retrying', 'delivered']);
  await sql(`UPDATE logout_delivery SET state = 'dead', last_status = 400 WHERE client_id = 'back'`);
  expect(await statesFrom(app, receipt)).toEqual(['given_up', 'delivered']);
});

it('gives notification states only to the page of their logout, and for ten minutes', async () => {
  const { app, register, logIn, clock } = await aTestService();
  await register('back', { backchannel_logout_uri: 'https://back.example/back' });
  const page = async () => {
    const login = await logIn(['back']);
    return postDecision(app, await visit(app, {}, login), 'accept', login);
  };
  const [one, other] = [receiptOf((await page()).body), receiptOf((await page()).body)];
  const [ids = '', expiry = '', digest = ''] = one.split('.');
  const forged = [
    'x',
    `${other.split('.')[0]}.${expiry}.${digest}`,
    `${ids}-${other.split('.')[0]}.${expiry}.${digest}`,
    `${ids}.${Number(expiry) + 1}.${digest}`,
    `${ids}.${expiry}.${digest.slice(1)}A`,
    `.${expiry}.${digest}`,
  ];
  for (const receipt of forged)
    expect(await submit(app, { receipt }), receipt).toMatchObject({ status: 400 });
  clock.advanceSeconds(599);
  expect(await statesFrom(app, one)).toEqual(['waiting']);
  clock.advanceSeconds(1);
  expect(await submit(app, { receipt: one })).toMatchObject({ status: 400 });
});

it('redirects back at once if there is no front-channel page to load, whatever other channels there are', async () => {
  const { app, register, logIn, idToken } = await aTestService();
  await register('back', { backchannel_logout_uri: 'https://back.example/back' });
  await register('none');
  const login = await logIn(['back', 'none']);
  const request = { id_token_hint: await idToken('none'), post_logout_redirect_uri: BACK };
  const landed = await postDecision(app, await visit(app, request, login), 'accept', login);
  expect(landed).toMatchObject({ status: 303, location: BACK });
});

it('sandboxes a page of our own origin without that origin, and loads nothing that a frame cannot load', async () => {
  const { app, register, logIn } = await aTestService();
  await register('own', { frontchannel_logout_uri: 'https://as.example/front' });
  await register('native', { frontchannel_logout_uri: 'com.example.app:/front' });
  const login = await logIn(['own', 'native']);
  const page = await postDecision(app, await visit(app, {}, login), 'accept', login);
  expect(framesOf(page.body)).toEqual(['https://as.example/front']);
  expect(page.body).toContain('sandbox="allow-scripts"');
});

it('keeps registered addresses out of the Content-Security-Policy if they could extend it, and notifies the other clients', async () => {
  const { app, register, logIn } = await aTestService();
  await register('evil', { frontchannel_logout_uri: 'https://e.example;sandbox/front' });
  await register('good', { frontchannel_logout_uri: 'https://good.example/front' });
  const login = await logIn(['evil', 'good']);
  const page = await postDecision(app, await visit(app, {}, login), 'accept', login);
  expect(framesOf(page.body)).toEqual(['https://good.example/front']);
  expect(page.policy).toContain('frame-src https://good.example;');
  expect(page.policy).not.toContain('sandbox');
});

it('redirects to no host that could extend the Content-Security-Policy of a page, however it came into the store', async () => {
  const { app, register, logIn, idToken } = await aTestService();
  const loose = 'https://e.example;sandbox/done';
  await register('evil', { post_logout_redirect_uris: [loose] });
  const request = { id_token_hint: await idToken('evil'), post_logout_redirect_uri: loose };
  const login = await logIn(['evil']);
  expect((await visit(app, request, login)).policy).toContain(`form-action 'self'; base-uri`);
  expect(await visit(app, request)).toMatchObject({ status: 200, location: undefined });
});

import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import {
  INVALID_TOKEN,
  information,
  NO_CONTENT,
  NO_STORE,
  pathOf,
  registered,
  type Seen,
  send,
  tagOf,
} from '../support/calls.js';

const CHANGED: Seen = { status: 412, headers: NO_STORE, body: '' };
const BODY = { redirect_uris: ['https://app.example/cb'] };

it('responds with 304 and only the tag if the caller has the current representation', async () => {
  const { app } = await buildTestApp();
  const response = await send(app, 'POST /clients', { token: MASTER, body: BODY });
  const { client_id: id, registration_access_token: token } = information(response);
  const tag = tagOf(response);
  for (const condition of [tag, `W/${tag}`, `"x", ${tag}`, '*'])
    expect(
      await send(app, `GET ${pathOf(id)}`, { token, headers: { 'if-none-match': condition } }),
      condition,
    ).toEqual({ status: 304, headers: { ...NO_STORE, etag: tag }, body: '' });
  for (const condition of ['"x"', '', 'x', tag.slice(1), `${tag}"`])
    information(await send(app, `GET ${pathOf(id)}`, { token, headers: { 'if-none-match': condition } }));
});

it('returns a renewed secret, since it has another tag', async () => {
  const { app, clock } = await buildTestApp({ CLIENT_SECRET_LIFETIME_SECONDS: '60' });
  const response = await send(app, 'POST /clients', { token: MASTER, body: BODY });
  const client = information(response);
  const headers = { 'if-none-match': tagOf(response) };
  const read = () => send(app, `GET ${pathOf(client.client_id)}`, { token: MASTER, headers });
  clock.advanceSeconds(59);
  expect((await read()).status).toBe(304);
  clock.advanceSeconds(1);
  const renewed = await read();
  expect(information(renewed).client_secret).not.toBe(client.client_secret);
  expect(tagOf(renewed)).not.toBe(tagOf(response));
});

it('reveals nothing by a condition that the token does not show', async () => {
  const { app } = await buildTestApp();
  const foreign = await send(app, 'POST /clients', { token: MASTER, body: BODY });
  const { registration_access_token: token } = await registered(app);
  for (const condition of ['*', tagOf(foreign)])
    for (const id of [information(foreign).client_id, 'unknown'])
      expect(
        await send(app, `GET ${pathOf(id)}`, { token, headers: { 'if-none-match': condition } }),
      ).toEqual(INVALID_TOKEN);
});

it('changes nothing if the client has a tag that the condition excludes (RFC 9110 section 13.1.2)', async () => {
  const { app, stored } = await buildTestApp();
  const response = await send(app, 'POST /clients', { token: MASTER, body: BODY });
  const { client_id: id, registration_access_token: token } = information(response);
  const tag = tagOf(response);
  const before = await stored(id);
  const change = (target: string, condition: string, others = {}) =>
    send(app, target, {
      token,
      headers: { 'if-none-match': condition, ...others },
      ...(target.startsWith('PUT') && { body: { ...BODY, client_id: id } }),
    });
  const targets = [`PUT ${pathOf(id)}`, `PUT ${pathOf(id)}?dry_run=true`, `DELETE ${pathOf(id)}`];
  for (const target of targets) {
    for (const condition of ['*', tag, `W/${tag}`, `"x", ${tag}`])
      expect(await change(target, condition), `${target} ${condition}`).toEqual(CHANGED);
    expect(await change(target, '*', { 'if-match': tag })).toEqual(CHANGED);
    expect(await change(target, '"x"', { 'if-match': '"y"' })).toEqual(CHANGED);
  }
  expect(await stored(id)).toEqual(before);
  expect((await change(`PUT ${pathOf(id)}?dry_run=true`, '"x"', { 'if-match': tag })).status).toBe(200);
  expect(await change(`DELETE ${pathOf(id)}`, '"x"', { 'if-match': tag })).toEqual(NO_CONTENT);
});

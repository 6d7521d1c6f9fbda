import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import {
  INVALID_TOKEN,
  information,
  NO_CONTENT,
  NO_STORE,
  pathOf,
  registered,
  send,
} from '../support/calls.js';
import { race } from '../support/race.js';

const BODY = { redirect_uris: ['https://app.example/cb'] };
const KEEPS_TOKEN = { ROTATE_REGISTRATION_TOKEN_ON_UPDATE: 'false' };

/** An empty response with the time after which to retry. */
function throttled(seconds: unknown) {
  return { status: 429, headers: { ...NO_STORE, 'retry-after': seconds }, body: '' };
}

// Each update leaves a record and a previous secret, of which a client that registered without a token could create any
// number.
it('limits the updates of one client with its own token, successful or not, and changes nothing beyond', async () => {
  const { app, clock, stored } = await buildTestApp({ UPDATES_PER_HOUR_AND_CLIENT: '6' });
  const { client_id: id, registration_access_token: first } = await registered(app);
  const body = { ...BODY, client_id: id };
  const path = pathOf(id);
  const next = information(await send(app, `PUT ${path}`, { token: first, body }));
  const patch = { token: next.registration_access_token, body: { client_name: 'Shop' } };
  const { registration_access_token: token } = information(await send(app, `PATCH ${path}`, patch));
  const statuses = [];
  for (const [target, call] of [
    [`PUT ${path}?dry_run=true`, { body }],
    [`PUT ${path}`, { body: { ...body, redirect_uris: ['x'] } }],
    [`PUT ${path}`, { body, headers: { 'if-match': '"other"' } }],
    [`PUT ${path}`, { body: '{' }],
  ] as const)
    statuses.push((await send(app, target, { token, ...call })).status);
  expect(statuses).toEqual([200, 400, 412, 400]);
  const before = await stored(id);
  for (const call of [{ body }, { body: '{' }, { body: { client_name: 'Other' } }]) {
    expect(await send(app, `PUT ${path}`, { token, ...call })).toEqual(throttled('600'));
    expect(await send(app, `PATCH ${path}`, { token, ...call })).toEqual(throttled('600'));
  }
  expect(await stored(id)).toEqual(before);
  clock.advanceSeconds(600);
  const { registration_access_token: last } = information(await send(app, `PUT ${path}`, { token, body }));
  expect(await send(app, `PUT ${path}`, { token: last, body })).toEqual(throttled('600'));
});

it('limits nothing else: not other clients, the master token, reading and deleting', async () => {
  const { app } = await buildTestApp({ ...KEEPS_TOKEN, UPDATES_PER_HOUR_AND_CLIENT: '1' });
  const { client_id: id, registration_access_token: token } = await registered(app);
  const path = pathOf(id);
  const update = (bearer: string) =>
    send(app, `PUT ${path}`, { token: bearer, body: { ...BODY, client_id: id } });
  for (let index = 0; index < 3; index += 1) {
    information(await update(MASTER));
    expect(await update('x'.repeat(43))).toEqual(INVALID_TOKEN);
  }
  information(await update(token));
  expect(await update(token)).toEqual(throttled('3600'));
  const other = await registered(app);
  information(
    await send(app, `PATCH ${pathOf(other.client_id)}`, { token: other.registration_access_token, body: {} }),
  );
  information(await update(MASTER));
  information(await send(app, `GET ${path}`, { token }));
  expect(await send(app, `DELETE ${path}`, { token })).toEqual(NO_CONTENT);
});

it('counts a request once, even if it is checked again because of concurrent updates', async () => {
  const service = await buildTestApp({ ...KEEPS_TOKEN, UPDATES_PER_HOUR_AND_CLIENT: '10' });
  const initial = await service.initialToken('client-reg');
  const { client_id: id, registration_access_token: token } = await registered(service.app, {}, initial);
  const patch = (index: number) => ({ token, body: { data: { [`m${index}`]: index } } });
  const responses = await race([service], 10, (app, index) => send(app, `PATCH ${pathOf(id)}`, patch(index)));
  for (const response of responses) information(response);
  expect(await send(service.app, `PATCH ${pathOf(id)}`, patch(11))).toEqual(throttled('360'));
});

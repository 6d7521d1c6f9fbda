import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { issued, members, NO_CONTENT, post, send } from '../support/calls.js';
import { verified } from '../support/key-set.js';

interface Opened {
  readonly sid: string;
  readonly clients: Readonly<Record<string, { readonly sid: string }>>;
}

it('adds a client to a session by any identifier, each time with the same sid, with which it is notified', async () => {
  const here = await buildTestApp({}, false, true);
  const backChannel = (name: string) =>
    here.register({ backchannel_logout_uri: `https://${name}.example/out` });
  const [early, late] = [await backChannel('early'), await backChannel('late')];
  const body = { sub: 'carol', client_ids: [early.client_id] };
  const session = members(await post(here.app, '/direct-authz/sessions', body)) as unknown as Opened;
  const enter = async (name: string, id: string) =>
    members(await post(here.app, `/direct-authz/sessions/${name}/clients`, { client_id: id, sub: 'carol' }));
  const { sid, ...rest } = await enter(session.sid, late.client_id);
  expect(sid).toMatch(/^[A-Za-z0-9]{22}$/);
  expect(rest).toEqual({});
  const earlySid = session.clients[early.client_id]?.sid ?? '';
  for (const name of [session.sid, String(sid), earlySid]) {
    expect(await enter(name, late.client_id)).toEqual({ sid });
    expect(await enter(name, early.client_id)).toEqual({ sid: earlySid });
  }
  const request = { client_id: late.client_id, sub: 'carol', scope: 'openid', sid: session.sid };
  const { id_token: idToken = '' } = await issued(here.app, request);
  const { payload } = await verified(here.app, idToken, { currentDate: new Date() });
  expect(payload['sid']).toBe(sid);
  expect(await send(here.app, `DELETE /direct-authz/sessions/${session.sid}`, { token: MASTER })).toEqual(
    NO_CONTENT,
  );
  expect(await here.sql('SELECT client_id, sid FROM logout_delivery ORDER BY uri')).toEqual([
    { client_id: early.client_id, sid: earlySid },
    { client_id: late.client_id, sid },
  ]);
});

it('counts as a use of the client', async () => {
  const here = await buildTestApp();
  const { client_id: id } = await here.register();
  const { sid } = members(await post(here.app, '/direct-authz/sessions', { sub: 'carol' }));
  const unused = await here.sql('SELECT last_used_at FROM client');
  await post(here.app, `/direct-authz/sessions/${sid}/clients`, { client_id: id, sub: 'carol' });
  expect([unused, await here.sql('SELECT last_used_at IS NOT NULL AS used FROM client')]).toEqual([
    [{ last_used_at: null }],
    [{ used: true }],
  ]);
});

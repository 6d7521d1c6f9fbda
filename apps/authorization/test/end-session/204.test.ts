import { expect, it } from 'vitest';
import { buildTestApp, MASTER, type TestApp } from '../support/build-test-app.js';
import { members, NO_CONTENT, NOT_FOUND, post, send } from '../support/calls.js';

async function opened({ app, register }: TestApp) {
  const client = await register({ backchannel_logout_uri: 'https://app.example/out' });
  const body = { sub: 'carol', client_ids: [client.client_id] };
  const { sid, clients } = members(await post(app, '/direct-authz/sessions', body)) as {
    readonly sid: string;
    readonly clients: Readonly<Record<string, { readonly sid: string }>>;
  };
  return { client, sid, sidAtClient: clients[client.client_id]?.sid ?? '' };
}

const end = ({ app }: TestApp, sid: string) =>
  send(app, `DELETE /direct-authz/sessions/${encodeURIComponent(sid)}`, { token: MASTER });

it.each(['sid', 'sidAtClient'] as const)(
  'ends a session by its %s, queues notifications for its clients, and records it once',
  async (name) => {
    const here = await buildTestApp({}, false, true);
    const session = await opened(here);
    expect(await end(here, session[name])).toEqual(NO_CONTENT);
    expect(await here.sql('SELECT FROM session')).toEqual([]);
    expect(await here.sql('SELECT subject, sid FROM logout_delivery')).toEqual([
      { subject: 'carol', sid: session.sidAtClient },
    ]);
    expect(await end(here, session[name])).toEqual(NOT_FOUND);
    const events = await here.sql('SELECT actor, action, target FROM audit_event ORDER BY id');
    expect(events.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      'master client.registered',
      'master session.opened',
      'master session.ended',
    ]);
    expect(events[2]?.['target']).toBe(events[1]?.['target']);
    expect(JSON.stringify(events)).not.toMatch(new RegExp(`carol|${session.sid}|${session.sidAtClient}`));
  },
);

it('responds with 404 for an unknown session', async () => {
  const here = await buildTestApp();
  for (const sid of ['unknown', 'x'.repeat(256), '\0', 'a/b', '%', 'é'])
    expect(await end(here, sid), sid).toEqual(NOT_FOUND);
  expect(await here.sql('SELECT FROM audit_event')).toEqual([]);
});

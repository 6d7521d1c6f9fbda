import { expect, it } from 'vitest';
import { buildTestApp, NOW } from '../support/build-test-app.js';
import { issued, NO_CONTENT, post } from '../support/calls.js';

it('records what the operator issues and revokes, without end-users or tokens', async () => {
  const { app, sql, register } = await buildTestApp();
  const { client_id } = await register();
  const identifier = await issued(app, { scope: 'client-reg' });
  const jwt = await issued(app, { scope: 'client-reg', format: 'jwt' });
  const access = await issued(app, { client_id, sub: 'alice', scope: 'read' });
  const requests = [
    ...[identifier, jwt, access].map(({ access_token: token }) => ({ token })),
    { client_id },
    { sub: 'alice' },
    { sid: 'some-session' },
  ];
  for (const request of requests)
    expect(await post(app, '/direct-authz/revoke', request)).toEqual(NO_CONTENT);
  const events = await sql(
    `SELECT actor, action, target, floor(extract(epoch FROM occurred_at))::int AS at FROM audit_event ORDER BY id`,
  );
  expect(events.map(({ action }) => action)).toEqual([
    'client.registered',
    'initial_access_token.issued',
    'initial_access_token.issued',
    'initial_access_token.revoked',
    'initial_access_token.revoked',
    'token.revoked',
    'tokens.revoked',
    'tokens.revoked',
    'tokens.revoked',
  ]);
  expect(events.every(({ actor, at }) => actor === 'master' && at === NOW)).toBe(true);
  const text = JSON.stringify(await sql('SELECT * FROM audit_event'));
  for (const secret of [
    'alice',
    'some-session',
    ...[identifier, jwt, access].map((each) => each.access_token),
  ])
    expect(text).not.toContain(secret);
  expect(await sql('SELECT count(*)::int AS count FROM initial_access_token')).toEqual([{ count: 0 }]);
});

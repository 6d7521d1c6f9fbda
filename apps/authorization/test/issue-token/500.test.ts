import { expect, it } from 'vitest';
import { buildTestApp } from '../support/build-test-app.js';
import { FAULT, NO_CONTENT, post } from '../support/calls.js';

it('responds with an empty 500 if the database is unavailable, never as for an unknown client', async () => {
  const { app, store, register } = await buildTestApp();
  const { client_id: id } = await register();
  await store.close();
  for (const scope of ['read', 'client-reg'])
    for (const format of ['identifier', 'jwt']) {
      const body = scope === 'read' ? { client_id: id, scope, format } : { scope };
      expect(await post(app, '/direct-authz', body), `${scope} ${format}`).toEqual(FAULT);
    }
});

it('never reports a revocation that is not stored', async () => {
  const { app, store } = await buildTestApp();
  expect(await post(app, '/direct-authz/revoke', { client_id: 'x' })).toEqual(NO_CONTENT);
  await store.close();
  for (const body of [{ token: 'x'.repeat(43) }, { client_id: 'x' }, { sub: 'x' }, { sid: 'x' }])
    expect(await post(app, '/direct-authz/revoke', body), Object.keys(body).join()).toEqual(FAULT);
});

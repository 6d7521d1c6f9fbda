import { createLogger } from '@vestibule/http/observability';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { pathOf, registered, send } from '../support/calls.js';
import { HOSTILE_BODIES } from '../support/hostile-bodies.js';

it('never logs a token, a secret, an identifier or anything of a body', async () => {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'trace',
    service: 'registration',
    destination: { write: (line) => void lines.push(line) },
  });
  const { app, initialToken, accessToken, store } = await buildTestApp({}, logger);
  const client = await registered(app, { client_name: 'canary-name', data: { note: 'canary-data' } });
  const { client_id: id, client_secret: secret = '', registration_access_token: token } = client;
  const initial = await initialToken('client-reg:grant:code');
  const access = await accessToken('jwt', id);
  const calls = async () => {
    for (const bearer of [MASTER, token, initial, access, 'canary-unknown-token']) {
      const body = {
        ...client,
        client_name: 'canary-name',
        canary_member: 'canary-value',
        scope: 'canary-scope',
      };
      await send(app, 'POST /clients', { token: bearer, body });
      await send(app, 'POST /clients', { token: bearer, body, headers: { 'idempotency-key': 'canary-key' } });
      await send(app, 'POST /clients?dry_run=canary', { token: bearer, body });
      await send(app, `PUT ${pathOf(id)}`, { token: bearer, body, headers: { 'if-match': '"canary-tag"' } });
      for (const query of ['canary=query', 'cursor=canary', 'limit=canary', 'client_name=canary&limit=1'])
        await send(app, `GET /clients?${query}`, { token: bearer, headers: { accept: 'canary/type' } });
      await send(app, `GET ${pathOf(id)}?canary=query`, { token: bearer });
      await send(app, `PUT ${pathOf(id)}`, { token: bearer, body: { ...body, redirect_uris: ['canary:x'] } });
      await send(app, 'DELETE /clients/canary-id', { token: bearer });
      for (const [payload] of HOSTILE_BODIES.slice(0, 12))
        await send(app, 'POST /clients', { token: bearer, payload: `canary ${payload.toString()}` });
    }
  };
  await calls();
  await store.close();
  await calls();
  const text = lines.join('');
  expect(lines.length).toBeGreaterThan(100);
  for (const word of ['canary', MASTER, token, secret, initial, access, access.slice(-40), id])
    expect(text.includes(word), word.slice(0, 12)).toBe(false);
});

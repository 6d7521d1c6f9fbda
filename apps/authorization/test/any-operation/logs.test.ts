import { createLogger } from '@vestibule/http/observability';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER, NOW } from '../support/build-test-app.js';
import { post, send } from '../support/calls.js';

it('never logs a token, a secret, an identifier or anything of a body', async () => {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'trace',
    service: 'authorization',
    destination: { write: (line) => void lines.push(line) },
  });
  const { app, register, store } = await buildTestApp({}, logger);
  const { client_id: id, client_secret: secret = '' } = await register();
  const tokens: string[] = [];
  const calls = async () => {
    for (const format of ['identifier', 'jwt']) {
      const request = {
        client_id: id,
        scope: 'openid canary',
        sub: 'canary-sub',
        dat: { note: 'canary' },
        format,
      };
      const { body } = await post(app, '/direct-authz?canary', request);
      if (body !== '') tokens.push(JSON.parse(body).access_token, JSON.parse(body).id_token);
    }
    for (const body of [
      { token: 'canary' },
      { sub: 'canary' },
      { 'canary member': 1 },
      'canary',
      { client_id: 'canary é' },
    ])
      await post(app, '/direct-authz/revoke', body);
    const entry = { token: 'canary-'.repeat(5), kind: 'access', client_id: id, iat: NOW, exp: NOW + 60 };
    for (const changes of [{}, { sub: 'canary' }, { 'canary member': 1 }, { exp: NOW }])
      await post(app, '/direct-authz/tokens', { tokens: [{ ...entry, ...changes }] });
    const headers = { 'content-type': 'application/x-ndjson' };
    await send(app, 'POST /direct-authz/tokens', {
      token: MASTER,
      headers,
      payload: 'canary\n{"canary":1}\n',
    });
    await send(app, 'POST /direct-authz', { token: 'canary-token', payload: 'canary' });
    await send(app, 'GET /canary', { token: MASTER });
  };
  await calls();
  await store.close();
  await calls();
  const text = lines.join('');
  expect(lines.length).toBeGreaterThan(15);
  expect(tokens).toHaveLength(4);
  for (const word of ['canary', MASTER, secret, id, ...tokens])
    expect(text.includes(word), word.slice(0, 12)).toBe(false);
});

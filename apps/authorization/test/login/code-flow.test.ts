import { expect, it } from 'vitest';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import { tokensOf } from '../support/code-flow.js';

it('logs an end-user in, asks for consent and gives tokens for a code', async () => {
  const { app, register, problems } = await buildTestApp({}, false, true);
  const client = await register({
    grant_types: ['authorization_code', 'refresh_token'],
    scope: 'openid read',
  });
  const { status, body } = await tokensOf(app, client, { scope: 'openid read' });
  expect(problems).toEqual([]);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 600,
      scope: 'openid read',
      id_token: expect.any(String),
      refresh_token: expect.any(String),
    },
  });
  expect(ISSUER).toBe('https://as.example');
});

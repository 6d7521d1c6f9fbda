import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { MISSING_TOKEN, pathOf, registered, send } from '../support/calls.js';

it('accepts only the master token, and responds before the body is read', async () => {
  const { app, initialToken, accessToken } = await buildTestApp();
  const { client_id: id, client_secret, registration_access_token: own } = await registered(app);
  const url = `POST ${pathOf(id)}/verify`;
  const body = { client_secret };
  expect(await send(app, url, { body })).toEqual(MISSING_TOKEN);
  expect(await send(app, `${url}?access_token=${MASTER}`, { body })).toEqual(MISSING_TOKEN);
  const tokens = [
    own,
    await initialToken('client-reg'),
    await accessToken('identifier', id),
    await accessToken('jwt', id),
    `${MASTER}x`,
    'x',
  ];
  for (const token of tokens)
    for (const payload of [JSON.stringify(body), '{', '']) {
      const { status, headers } = await send(app, url, { token, payload });
      expect([status, headers['www-authenticate']], token).toEqual([
        401,
        'Bearer error="invalid_token", error_description="The access token is not the master token."',
      ]);
    }
});

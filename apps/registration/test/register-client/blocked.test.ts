import { parseBlockedHost } from '@vestibule/clients/blocks';
import { nowSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { information, NO_STORE, send } from '../support/calls.js';

const BLOCKED = { redirect_uris: ['https://bad.example/cb'] };
const REFUSED = {
  status: 400,
  headers: { ...NO_STORE, 'content-type': 'application/json;charset=UTF-8' },
  body: JSON.stringify({
    error: 'invalid_client_metadata',
    error_description: 'The operator of this server has blocked this client.',
  }),
};

it('refuses a blocked client in every instance at once, with any credential, until the block is lifted', async () => {
  const { app, store, clock, initialToken, usesLeft, anotherInstance, all } = await buildTestApp({
    ALLOW_OPEN_REGISTRATION: 'true',
  });
  const other = await anotherInstance();
  const token = await initialToken('client-reg');
  const good = information(
    await send(app, 'POST /clients', { body: { redirect_uris: ['https://good.example/cb'] } }),
  );
  const change = { actor: 'operator:jane', now: nowSeconds(clock) } as const;
  await store.database.clientBlocks.add([parseBlockedHost('bad.example')], undefined, change);
  for (const each of [undefined, token, MASTER])
    for (const target of ['POST /clients', 'POST /clients?dry_run=true'])
      expect(await send(other.app, target, { token: each, body: BLOCKED })).toEqual(REFUSED);
  expect(await usesLeft(token)).toBe(1);
  const update = { token: good.registration_access_token, body: { client_id: good.client_id, ...BLOCKED } };
  for (const query of ['', '?dry_run=true'])
    for (const method of ['PUT', 'PATCH'])
      expect(await send(other.app, `${method} /clients/${good.client_id}${query}`, update)).toEqual(REFUSED);
  expect((await all()).map(({ metadata }) => metadata.redirect_uris)).toEqual([['https://good.example/cb']]);
  await store.database.clientBlocks.remove(parseBlockedHost('bad.example'), change);
  information(await send(other.app, 'POST /clients', { token, body: BLOCKED }));
});

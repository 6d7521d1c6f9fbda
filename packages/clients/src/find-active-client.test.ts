import { nowSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { findActiveClient } from './find-active-client.js';
import { registrationFixture } from './testing/registration-fixture.js';

it('finds an approved client that has not expired by its identifier, and no other', async () => {
  const { register, change, deps, clock } = await registrationFixture({ allowOpenRegistration: true });
  const { information } = await register({ redirect_uris: ['https://app.example.org/cb'] });
  const id = information.client_id;
  expect(await findActiveClient(deps, id)).toMatchObject({ id });
  for (const other of ['unknown', '', undefined, 7, `${id}\0`, 'x'.repeat(3000)])
    expect(await findActiveClient(deps, other)).toBeUndefined();
  for (const status of ['pending', 'suspended'] as const) {
    await change(id, (client) => ({ ...client, status }));
    expect(await findActiveClient(deps, id)).toBeUndefined();
  }
  await change(id, (client) => ({ ...client, status: 'active', expiresAt: nowSeconds(clock) }));
  expect(await findActiveClient(deps, id)).toBeUndefined();
});

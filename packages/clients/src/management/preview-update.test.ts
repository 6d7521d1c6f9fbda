import type { JsonObject } from '@vestibule/protocol/json';
import { expect, it } from 'vitest';
import { operatorActor } from '../audit-actor.js';
import { MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { keepingCredentials } from './next-credentials.js';
import { previewUpdate, updateClient } from './update-client.js';

const REDIRECT = { redirect_uris: ['https://app.example.org/cb'] };
const BASIC = { token_endpoint_auth_method: 'client_secret_basic' };
const NONE = { token_endpoint_auth_method: 'none' };
/** Needs a secret of 64 bytes (RFC 7518 section 3.2). */
const LONG = { id_token_signed_response_alg: 'HS512' };

it.each([
  ['no secret before and after', NONE, { client_name: 'Shop' }, undefined],
  ['a first secret', NONE, BASIC, undefined],
  ['a secret that stays', BASIC, { client_name: 'Shop' }, undefined],
  ['no secret any more', BASIC, NONE, 'dropped'],
  ['a longer secret', BASIC, { ...BASIC, ...LONG }, 'replaced'],
] as const)('tells of %s, as the update then does it', async (_case, body, changes, end) => {
  const { deps: given, register, find } = await registrationFixture({ clientSecretLength: 43 });
  const deps = keepingCredentials(given);
  const { information } = await register({ ...REDIRECT, ...body }, MASTER);
  const id = information.client_id;
  const input = {
    id,
    operator: operatorActor('alice'),
    body: { ...REDIRECT, ...body, ...changes, client_id: id } satisfies JsonObject,
  };
  const before = (await find(id))?.secret;
  const { registration, secretEnd } = await previewUpdate(deps, input);
  expect(registration).toMatchObject({ client_id: id, ...changes });
  expect(secretEnd).toBe(end);
  expect((await find(id))?.version).toBe(1);
  await updateClient(deps, input);
  const after = (await find(id))?.secret;
  expect(before !== undefined && after?.encrypted !== before.encrypted).toBe(end !== undefined);
  if (end !== undefined) expect(after === undefined).toBe(end === 'dropped');
});

it('tells that a secret is replaced if each update rotates it, and of none that has expired', async () => {
  const { deps, register, clock } = await registrationFixture({ clientSecretLifetimeSeconds: 60 });
  const { information } = await register({ ...REDIRECT, ...BASIC }, MASTER);
  const id = information.client_id;
  const input = { id, operator: operatorActor('alice'), body: { ...REDIRECT, client_id: id } };
  expect(await previewUpdate(deps, input)).toMatchObject({ secretEnd: 'replaced' });
  clock.advanceSeconds(60);
  expect(await previewUpdate(deps, input)).toHaveProperty('secretEnd', undefined);
});

import { sha256 } from '@vestibule/crypto';
import type { Digest } from '@vestibule/crypto/data-keys';
import { tokenBuckets } from '@vestibule/protocol/rate-limits';
import { frozenClock } from '@vestibule/protocol/testing';
import { ALL_SCOPES, OPEN_SCOPES } from '@vestibule/scopes';
import { expect, it } from 'vitest';
import { authorizeManagement } from '../management/authorize-management.js';
import { dryRunUpdate, updateClient } from '../management/update-client.js';
import { MASTER as MASTER_TOKEN, registrationFixture } from '../testing/registration-fixture.js';
import type { RegistrationAuthority } from './registration-authority.js';
import { registrationLimits } from './registration-limits.js';

const ANONYMOUS: RegistrationAuthority = { kind: 'anonymous', grantedScopes: OPEN_SCOPES };
const MASTER: RegistrationAuthority = { kind: 'master', grantedScopes: ALL_SCOPES };
const SETTINGS = {
  perNetwork: 2,
  perSoftware: 2,
  overall: 5,
  perInitialToken: 2,
  perClient: 2,
  perSector: 2,
};

function withToken(text: string): RegistrationAuthority {
  return {
    kind: 'initial_access_token',
    grantedScopes: ALL_SCOPES,
    consumes: [sha256(text) as Uint8Array as Digest],
  };
}

function limits(settings = SETTINGS) {
  return registrationLimits(tokenBuckets({ clock: frozenClock() }), settings);
}

const REDIRECT = { redirect_uris: ['https://app.example.org/cb'] };
const THROTTLED = { code: 'too_many_requests', retryAfterSeconds: expect.any(Number) };

it('limits callers without a token by network and in total, so that one network cannot use up the total limit', async () => {
  const { admitCaller } = limits();
  await admitCaller(ANONYMOUS, 'a');
  await admitCaller(ANONYMOUS, 'a');
  for (let index = 0; index < 20; index += 1)
    await expect(admitCaller(ANONYMOUS, 'a')).rejects.toMatchObject(THROTTLED);
  for (const network of ['b', 'b', 'c']) await admitCaller(ANONYMOUS, network);
  await expect(admitCaller(ANONYMOUS, 'd')).rejects.toMatchObject(THROTTLED);
});

it('limits each initial access token separately, wherever it is used', async () => {
  const { admitCaller } = limits();
  await admitCaller(withToken('one'), 'a');
  await admitCaller(withToken('one'), 'b');
  await expect(admitCaller(withToken('one'), 'c')).rejects.toMatchObject(THROTTLED);
  await admitCaller(withToken('other'), 'a');
});

it('limits software without a token, and no registration without a software_id', async () => {
  const { admitSoftware } = limits();
  await admitSoftware(ANONYMOUS, 'software');
  await admitSoftware(ANONYMOUS, 'software');
  await expect(admitSoftware(ANONYMOUS, 'software')).rejects.toMatchObject(THROTTLED);
  for (let index = 0; index < 5; index += 1) {
    await admitSoftware(ANONYMOUS, undefined);
    await admitSoftware(withToken('one'), 'software');
  }
});

it('never limits the master token, and nothing if the limit is 0', async () => {
  const { admitCaller, admitSoftware } = limits({
    perNetwork: 0,
    perSoftware: 0,
    overall: 0,
    perInitialToken: 0,
    perClient: 0,
    perSector: 0,
  });
  const strict = limits();
  for (let index = 0; index < 20; index += 1) {
    await strict.admitCaller(MASTER, 'a');
    await strict.admitSoftware(MASTER, 'software');
    await admitCaller(ANONYMOUS, 'a');
    await admitSoftware(ANONYMOUS, 'software');
    await admitCaller(withToken('one'), 'a');
  }
});

it('permits requests if the counter is unavailable', async () => {
  const unknown = async () => ({ outcome: 'unavailable' }) as const;
  await registrationLimits({ count: unknown, peek: unknown }, SETTINGS).admitCaller(ANONYMOUS, 'a');
});

it('counts a registration for its software only if it is otherwise accepted', async () => {
  const { deps, register, all } = await registrationFixture({ allowOpenRegistration: true });
  const body = { redirect_uris: ['https://app.example.org/cb'], software_id: 'software' };
  Object.assign(deps, { limits: limits() });
  await register(body);
  await expect(register({ ...body, redirect_uris: ['x'] })).rejects.toMatchObject({
    code: 'invalid_redirect_uri',
  });
  await register(body);
  await expect(register(body)).rejects.toMatchObject(THROTTLED);
  expect(await all()).toHaveLength(2);
});

it('limits the updates of each client separately, and none of the master token and of operators', async () => {
  const { deps, register } = await registrationFixture();
  const { admitUpdate } = limits();
  const unlimited = limits({ ...SETTINGS, perClient: 0 });
  const managed = async () => {
    const { information } = await register(REDIRECT, MASTER_TOKEN);
    const { client_id: id, registration_access_token: token } = information;
    return authorizeManagement(deps, { id, token: String(token) });
  };
  const one = await managed();
  await admitUpdate(one);
  await admitUpdate(one);
  await expect(admitUpdate(one)).rejects.toMatchObject(THROTTLED);
  await admitUpdate(await managed());
  const { id } = one.client;
  for (let index = 0; index < 5; index += 1) {
    await admitUpdate(await authorizeManagement(deps, { id, token: MASTER_TOKEN }));
    await admitUpdate(await authorizeManagement(deps, { id, operator: 'operator:jane' }));
    await unlimited.admitUpdate(one);
  }
});

// Otherwise a client could cause any number of requests to third parties.
it('limits the sector documents that a client makes us read, in dry runs too, and no other updates', async () => {
  const { deps, register } = await registrationFixture();
  const read: string[] = [];
  Object.assign(deps, {
    limits: limits(),
    sectorIdentifiers: {
      read: async (uri: string) => {
        read.push(uri);
        return REDIRECT.redirect_uris;
      },
    },
  });
  const { information } = await register(REDIRECT, MASTER_TOKEN);
  const { client_id: id, registration_access_token: token } = information;
  const plain = { ...REDIRECT, client_id: id };
  const body = { ...plain, sector_identifier_uri: 'https://app.example.org/sector.json' };
  const dryRun = (input: object) => dryRunUpdate(deps, { id, token: String(token), body, ...input });
  await dryRun({});
  await dryRun({});
  await expect(dryRun({})).rejects.toMatchObject(THROTTLED);
  await expect(updateClient(deps, { id, token: String(token), body })).rejects.toMatchObject(THROTTLED);
  expect(read).toHaveLength(2);
  await dryRun({ body: plain });
  await dryRun({ token: MASTER_TOKEN });
  const other = await register(REDIRECT, MASTER_TOKEN);
  const { client_id: otherId, registration_access_token: otherToken } = other.information;
  await dryRun({ id: otherId, token: otherToken, body: { ...body, client_id: otherId } });
});

import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { isClientExpired } from '../client-expiry.js';
import { readClient } from '../management/read-client.js';
import { updateClient } from '../management/update-client.js';
import { MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { authorizeRegistration } from './authorize-registration.js';
import { DEFAULT_OPEN_REGISTRATION_SETTINGS, type OpenRegistrationSettings } from './open-registration.js';
import { registerClient } from './register-client.js';

const BODY = { redirect_uris: ['https://app.example.org/cb'] };

function openFixture(changes: Partial<OpenRegistrationSettings> = {}) {
  const openRegistrations = { ...DEFAULT_OPEN_REGISTRATION_SETTINGS, ...changes };
  return registrationFixture({ allowOpenRegistration: true, openRegistrations });
}

describe('a registration without a token', () => {
  it('expires after the configured time without use, and shows the expiry', async () => {
    const { register, find, deps, clock } = await openFixture({ unusedLifetimeSeconds: 86_400 });
    const { information } = await register(BODY);
    const { client_id: unused } = information;
    const { client_id: used } = (await register(BODY)).information;
    const now = nowSeconds(clock);
    expect(await find(unused)).toMatchObject({ origin: 'open_registration', expiresAt: now + 86_400 });
    expect(information['expires_at']).toBe(now + 86_400);
    const usedClient = await find(used);
    if (usedClient) await deps.clients.markUsed([usedClient.id], now, 300);
    clock.advanceSeconds(86_400);
    await expect(readClient(deps, { id: unused, token: MASTER })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await find(used)).not.toHaveProperty('expiresAt');
    const kept = await readClient(deps, { id: used, token: MASTER });
    expect(kept.version).toBe(1);
    expect(kept.information).not.toHaveProperty('expires_at');
  });

  it('keeps its expiry, whatever is read and updated', async () => {
    const { register, find, deps, clock } = await openFixture({ unusedLifetimeSeconds: 100 });
    const { information } = await register(BODY);
    const id = information.client_id;
    const token = String(information['registration_access_token']);
    const start = nowSeconds(clock);
    clock.advanceSeconds(60);
    await readClient(deps, { id, token });
    expect(await find(id)).toMatchObject({ expiresAt: start + 100 });
    await updateClient(deps, { id, token, body: { ...BODY, client_id: id } });
    expect(await find(id)).toMatchObject({ version: 2, expiresAt: start + 100 });
    clock.advanceSeconds(40);
    await expect(readClient(deps, { id, token: MASTER })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('does not expire by default, and no other registration does', async () => {
    const endless = await openFixture();
    const { information: open } = await endless.register(BODY);
    expect(open).not.toHaveProperty('expires_at');
    expect(await endless.find(open.client_id)).not.toHaveProperty('expiresAt');
    const { register, find, issue, deps } = await openFixture({ unusedLifetimeSeconds: 100 });
    for (const token of [MASTER, await issue('client-reg')]) {
      const { information } = await register(BODY, token);
      const id = information.client_id;
      expect(await find(id)).toMatchObject({ origin: 'registration', status: 'active' });
      const { registration_access_token: own } = information;
      await updateClient(deps, { id, token: String(own), body: { ...BODY, client_id: id } });
      expect(await find(id)).not.toHaveProperty('expiresAt');
    }
  });

  it('is refused while too many are unused, with the time after which to retry', async () => {
    const { register, issue, find, deps, clock } = await openFixture({ maxUnused: 3 });
    const first = (await register(BODY)).information.client_id;
    await register(BODY);
    await expect(register(BODY)).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 300 });
    for (const token of [MASTER, await issue('client-reg')]) await register(BODY, token);
    const client = await find(first);
    if (client) await deps.clients.markUsed([client.id], nowSeconds(clock), 300);
    await register(BODY);
    await expect(register(BODY)).rejects.toMatchObject({ code: 'too_many_requests' });
  });

  it('is still accepted from networks that hold fewer', async () => {
    const { deps } = await openFixture({ maxUnused: 16 });
    const register = async (network: string) =>
      registerClient(deps, { authority: await authorizeRegistration(deps, { network }), body: BODY });
    for (const [network, most] of [
      ['one', 8],
      ['other', 4],
      ['third', 2],
    ] as const) {
      for (let index = 0; index < most; index += 1) await register(network);
      await expect(register(network), network).rejects.toMatchObject({ code: 'too_many_requests' });
    }
    await register('fourth');
  });

  it('is not limited if no limit is configured', async () => {
    const { register, all } = await openFixture({ maxUnused: 0 });
    for (let index = 0; index < 5; index += 1) await register(BODY);
    expect(await all()).toHaveLength(5);
  });

  it('has a secret with the lifetime for open registrations, also after an update and a renewal', async () => {
    const { register, find, deps, clock } = await openFixture({
      secretLifetimeSeconds: 50,
      unusedLifetimeSeconds: 0,
    });
    const { information } = await register(BODY);
    const id = information.client_id;
    expect(information['client_secret_expires_at']).toBe(nowSeconds(clock) + 50);
    clock.advanceSeconds(10);
    const body = { ...BODY, client_id: id };
    const token = String(information['registration_access_token']);
    const updated = await updateClient(deps, { id, token, body });
    expect(updated.information['client_secret_expires_at']).toBe(nowSeconds(clock) + 50);
    clock.advanceSeconds(50);
    await readClient(deps, { id, token: MASTER });
    expect((await find(id))?.secret?.expiresAt).toBe(nowSeconds(clock) + 50);
    const managed = await register(BODY, MASTER);
    expect(managed.information['client_secret_expires_at']).toBe(0);
  });
});

it('is expired from the second of its expiry on', async () => {
  const { register, find } = await openFixture({ unusedLifetimeSeconds: 100 });
  const client = await find((await register(BODY)).information.client_id);
  if (client?.expiresAt === undefined) throw new Error('no such client');
  expect(isClientExpired(client, client.expiresAt)).toBe(true);
  expect(isClientExpired(client, epochSeconds(client.expiresAt - 1))).toBe(false);
});

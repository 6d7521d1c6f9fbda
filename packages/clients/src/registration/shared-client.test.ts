import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { changeClientStatus } from '../management/client-status.js';
import { deleteClient } from '../management/delete-client.js';
import { updateClient } from '../management/update-client.js';
import { MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { authorizeRegistration } from './authorize-registration.js';
import { dryRunRegistration } from './dry-run-registration.js';
import { DEFAULT_OPEN_REGISTRATION_SETTINGS, type OpenRegistrationSettings } from './open-registration.js';

const NATIVE = {
  client_name: 'Editor',
  redirect_uris: ['http://127.0.0.1:40312/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
};
const WEB = { ...NATIVE, redirect_uris: ['https://app.example.org/cb'] };

function sharingFixture(changes: Partial<OpenRegistrationSettings> = {}) {
  const openRegistrations = { ...DEFAULT_OPEN_REGISTRATION_SETTINGS, sharesIdentical: true, ...changes };
  return registrationFixture({ allowOpenRegistration: true, openRegistrations });
}

describe('identical registrations of a client that does not authenticate', () => {
  it('get one client, of which no registrant can do anything at the management endpoint', async () => {
    const { register, all } = await sharingFixture();
    const first = await register(WEB);
    const second = await register({ ...WEB, application_type: 'web', unknown: 1 });
    expect(second.information).toEqual(first.information);
    expect(first.information).not.toHaveProperty('registration_access_token');
    expect(first.information).not.toHaveProperty('registration_client_uri');
    const [stored, ...others] = await all();
    expect(others).toEqual([]);
    expect(stored).not.toHaveProperty('registrationToken');
  });

  it('are those whose loopback ports alone differ, and each response shows the ports of its request', async () => {
    const { register, all } = await sharingFixture();
    const ids = new Set<string>();
    for (const redirect_uris of [
      ['http://127.0.0.1:40312/callback'],
      ['http://127.0.0.1:1/callback'],
      ['http://127.0.0.1/callback'],
    ]) {
      const { information } = await register({ ...NATIVE, redirect_uris });
      expect(information['redirect_uris']).toEqual(redirect_uris);
      ids.add(information.client_id);
    }
    expect(ids.size).toBe(1);
    expect(await all()).toHaveLength(1);
  });

  it.each([
    ['another name', { client_name: 'Other' }],
    ['another path', { redirect_uris: ['http://127.0.0.1:40312/other'] }],
    ['another loopback host', { redirect_uris: ['http://localhost:40312/callback'] }],
    ['one more redirect URI', { redirect_uris: [...NATIVE.redirect_uris, 'https://app.example.org/cb'] }],
    ['other grant types', { grant_types: ['authorization_code'] }],
    ['a port on another host', { redirect_uris: ['https://app.example.org:8443/cb'] }],
  ])('are no others: %s', async (_what, change) => {
    const { register } = await sharingFixture();
    const { information: first } = await register(NATIVE);
    const { information: other } = await register({ ...NATIVE, ...change });
    expect(other.client_id).not.toBe(first.client_id);
    const port = { redirect_uris: ['https://app.example.org:9443/cb'] };
    expect((await register({ ...NATIVE, ...port })).information.client_id).not.toBe(other.client_id);
  });

  it('get clients of their own with a secret, with a token, and by default', async () => {
    const { register, issue, deps } = await sharingFixture();
    const own = async (body: JsonObject, token?: () => Promise<string>) => {
      const one = await register(body, await token?.());
      const other = await register(body, await token?.());
      expect(one.information.client_id).not.toBe(other.information.client_id);
      expect(one.information).toHaveProperty('registration_access_token');
    };
    await own({ ...WEB, token_endpoint_auth_method: 'client_secret_basic' });
    await own(WEB, () => issue('client-reg'));
    await own(WEB, async () => MASTER);
    expect(await deps.clients.findShared(new Uint8Array(32))).toBeUndefined();
    const { register: registerByDefault } = await registrationFixture({ allowOpenRegistration: true });
    const { information } = await registerByDefault(WEB);
    expect(information).toHaveProperty('registration_access_token');
    expect((await registerByDefault(WEB)).information.client_id).not.toBe(information.client_id);
  });

  it('of a client that was registered before the setting was on get another one', async () => {
    const { register, deps } = await registrationFixture({ allowOpenRegistration: true });
    const { information: before } = await register(WEB);
    const settings = {
      ...deps.settings,
      openRegistrations: { ...deps.settings.openRegistrations, sharesIdentical: true },
    };
    Object.assign(deps, { settings });
    expect((await register(WEB)).information.client_id).not.toBe(before.client_id);
  });

  it('get another client once the operator has changed, suspended or deleted the first', async () => {
    const { register, deps } = await sharingFixture();
    const seen = new Set<string>();
    const next = async () => {
      const { client_id: id } = (await register(WEB)).information;
      expect(seen.has(id)).toBe(false);
      seen.add(id);
      expect((await register(WEB)).information.client_id).toBe(id);
      return { id, token: MASTER };
    };
    const unchanged = await next();
    await updateClient(deps, { ...unchanged, body: { ...WEB, client_id: unchanged.id } });
    expect((await register(WEB)).information.client_id).toBe(unchanged.id);
    await updateClient(deps, { ...unchanged, body: { data: { team: 'a' } }, isPatch: true });
    const renamed = await next();
    await updateClient(deps, { ...renamed, body: { client_name: 'Renamed' }, isPatch: true });
    await changeClientStatus(deps, { ...(await next()), status: 'suspended' });
    await deleteClient(deps, await next());
    await next();
  });

  it('never show what the operator has added', async () => {
    const { register, deps } = await sharingFixture();
    const { client_id: id } = (await register(WEB)).information;
    await updateClient(deps, { id, token: MASTER, body: { data: { team: 'a' } }, isPatch: true });
    expect((await register(WEB)).information).not.toHaveProperty('data');
  });
});

describe('the end of an unused client that registrations share', () => {
  it('is as late after each registration as that of a new client', async () => {
    const { register, find, clock } = await sharingFixture({ unusedLifetimeSeconds: 100 });
    const { information } = await register(WEB);
    clock.advanceSeconds(60);
    const again = (await register(WEB)).information;
    expect(again.client_id).toBe(information.client_id);
    expect(again['expires_at']).toBe(Number(information['expires_at']) + 60);
    expect(await find(again.client_id)).toMatchObject({ version: 1, expiresAt: again['expires_at'] });
  });

  it('lets the next registration make a new client, and a first use keeps it', async () => {
    const { register, deps, clock, all } = await sharingFixture({ unusedLifetimeSeconds: 100 });
    const { information: ended } = await register(WEB);
    clock.advanceSeconds(100);
    const { information: next } = await register(WEB);
    expect(next.client_id).not.toBe(ended.client_id);
    expect(await all()).toHaveLength(1);
    const [client] = await all();
    if (client) await deps.clients.markUsed([client.id], client.issuedAt, 300);
    clock.advanceSeconds(1_000);
    const { information: used } = await register(WEB);
    expect(used.client_id).toBe(next.client_id);
    expect(used).not.toHaveProperty('expires_at');
  });
});

it('a dry run says which client an identical registration would get, and changes nothing', async () => {
  const { register, deps, clock, find } = await sharingFixture({ unusedLifetimeSeconds: 100, maxUnused: 1 });
  const dryRun = async () =>
    dryRunRegistration(deps, { authority: await authorizeRegistration(deps, {}), body: WEB });
  expect(await dryRun()).not.toHaveProperty('client_id');
  const { information } = await register(WEB);
  clock.advanceSeconds(50);
  expect(await dryRun()).toMatchObject({ client_id: information.client_id, client_name: 'Editor' });
  expect(await find(information.client_id)).toMatchObject({ expiresAt: information['expires_at'] });
  // The cap is full, but no client would be added.
  expect((await register(WEB)).information.client_id).toBe(information.client_id);
});

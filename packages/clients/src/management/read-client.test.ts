import { KeyEncryptionError } from '@vestibule/crypto/data-keys';
import { withMissingDigestKey } from '@vestibule/crypto/testing';
import { epochSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { failure } from '../testing/failure.js';
import { ACCESS_TOKEN, MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { readClient } from './read-client.js';
import { updateClient } from './update-client.js';

const REDIRECT = { redirect_uris: ['https://app.example.org/cb'] };

async function registered(settings = {}) {
  const fixture = await registrationFixture({ allowOpenRegistration: true, ...settings });
  const { information } = await fixture.register({ ...REDIRECT, client_name: 'Shop' });
  const token = String(information['registration_access_token']);
  return { ...fixture, information, token, id: information.client_id };
}

describe('reading a client', () => {
  it('returns the registration to the master token and to the registration access token', async () => {
    const { deps, id, information, token } = await registered();
    const response = await readClient(deps, { id, token });
    expect(JSON.stringify(response.information)).toBe(JSON.stringify(information));
    const shown = await readClient(deps, { id, token: MASTER });
    const { status, origin, ...rest } = shown.information;
    expect(JSON.stringify(rest)).toBe(JSON.stringify(information));
    expect({ status, origin }).toEqual({ status: 'active', origin: 'open_registration' });
    expect(shown.entityTag).toBe(response.entityTag);
  });

  it('requires a token', async () => {
    const { deps, id } = await registered();
    await expect(readClient(deps, { id })).rejects.toEqual(failure('missing_token'));
  });

  // Distinct responses would reveal which clients exist.
  it('refuses unknown, foreign and expired clients and wrong tokens alike', async () => {
    const { change, deps, clock, id, register, token } = await registered();
    const other = (await register(REDIRECT)).information;
    const requests = [
      { id: 'unknown', token },
      { id: other.client_id, token },
      { id, token: String(other['registration_access_token']) },
      { id, token: ACCESS_TOKEN },
      { id, token: '' },
      { id, token: String(other['client_secret']) },
      ...['', ' ', 'a\u0000', '\ud800', 'x'.repeat(2049), '../clients'].map((odd) => ({ id: odd, token })),
    ];
    const outcomes = await Promise.all(
      requests.map((request) => readClient(deps, request).catch((error) => error)),
    );
    const descriptions = outcomes.map(({ code, description }) => `${code}: ${description}`);
    await change(id, (client) => ({ ...client, expiresAt: epochSeconds(clock.nowMs() / 1000) }));
    const expired = await readClient(deps, { id, token }).catch((error) => error);
    expect(new Set([...descriptions, `${expired.code}: ${expired.description}`]).size).toBe(1);
    expect(expired.code).toBe('invalid_token');
    for (const unknown of ['unknown', id, '', 'x'.repeat(2049)]) {
      await expect(readClient(deps, { id: unknown, token: MASTER })).rejects.toEqual(failure('not_found'));
    }
  });

  it('reads the same from the store for the token of another client as for an unknown client', async () => {
    const { deps, id, token } = await registered();
    const learnt = async (request: { id: string; token: string }) => {
      const responses: unknown[] = [];
      const noted =
        <Arguments extends unknown[]>(operation: (...given: Arguments) => Promise<unknown>) =>
        async (...given: Arguments) => {
          const response = await operation(...given);
          responses.push([operation, response]);
          return response as never;
        };
      const { find, findByRegistrationToken } = deps.clients;
      const clients = {
        ...deps.clients,
        find: noted(find),
        findByRegistrationToken: noted(findByRegistrationToken),
      };
      await readClient({ ...deps, clients }, request).catch(() => undefined);
      return responses;
    };
    const nothing = [[deps.clients.findByRegistrationToken, undefined]];
    expect(await learnt({ id, token: 'x' })).toEqual(nothing);
    expect(await learnt({ id: 'unknown', token })).toEqual(nothing);
    expect(await learnt({ id, token })).not.toEqual(nothing);
  });

  it('fails, rather than refuse, if the token may be under a digest key that cannot be decrypted', async () => {
    const { deps, id, token } = await registered();
    const digester = withMissingDigestKey(deps.digester);
    const wrong = readClient({ ...deps, digester }, { id, token: 'x' });
    await expect(wrong).rejects.toBeInstanceOf(KeyEncryptionError);
    expect((await readClient({ ...deps, digester }, { id, token })).information.client_id).toBe(id);
  });
});

describe('an expired secret', () => {
  const LIFETIME = { clientSecretLifetimeSeconds: 100 };

  it('is renewed by the first read in the second of its expiry, and not before', async () => {
    const { deps, clock, id, information, token } = await registered(LIFETIME);
    clock.advanceSeconds(99);
    expect((await readClient(deps, { id, token })).information).toEqual(information);
    clock.advanceSeconds(1);
    const { information: renewed, version } = await readClient(deps, { id, token });
    expect(renewed['client_secret']).not.toBe(information['client_secret']);
    expect(renewed['client_secret_expires_at']).toBe(Math.floor(clock.nowMs() / 1000) + 100);
    expect(version).toBe(2);
    expect((await readClient(deps, { id, token: MASTER })).information).toMatchObject(renewed);
  });

  it('is renewed once, however many reads run in parallel', async () => {
    const { deps, clock, id, token } = await registered(LIFETIME);
    clock.advanceSeconds(100);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => readClient(deps, { id, token: i % 2 === 0 ? token : MASTER })),
    );
    expect(new Set(responses.map(({ information }) => information['client_secret'])).size).toBe(1);
    expect(new Set(responses.map(({ version }) => version))).toEqual(new Set([2]));
  });

  it('is kept for ID token hints, and never authenticates again', async () => {
    const { deps, clock, find, id, information, token } = await registered({
      ...LIFETIME,
      clientSecretOverlapSeconds: 60,
    });
    clock.advanceSeconds(100);
    await readClient(deps, { id, token });
    const client = await find(id);
    const [previous, ...others] = client
      ? await deps.clients.previousSecrets(client.id, client.updatedAt)
      : [];
    expect(others).toEqual([]);
    expect(previous).not.toHaveProperty('authenticatesUntil');
    const associatedData = { table: 'earlier_client_secret', column: 'sealed', row: id };
    expect(await deps.encryptor.open(previous?.encrypted ?? '', associatedData)).toBe(
      information['client_secret'],
    );
  });
});

describe('the previous registration access token', () => {
  // A client that reads after a lost response would otherwise have only a token that expires within ten minutes.
  it('shows its successor in a read with it', async () => {
    const { deps, id, information, token } = await registered();
    const body = { ...REDIRECT, client_id: id };
    const { information: updated } = await updateClient(deps, { id, token, body });
    expect(updated['registration_access_token']).not.toBe(information['registration_access_token']);
    expect((await readClient(deps, { id, token })).information).toEqual(updated);
    expect((await readClient(deps, { id, token: MASTER })).information).toMatchObject(updated);
  });
});

describe('a client without registration access token', () => {
  it('can be read only with the master token', async () => {
    const { change, deps, id, token } = await registered();
    await change(id, ({ registrationToken: _none, ...client }) => client);
    const { information } = await readClient(deps, { id, token: MASTER });
    expect(information).not.toHaveProperty('registration_access_token');
    await expect(readClient(deps, { id, token })).rejects.toEqual(failure('invalid_token'));
  });
});

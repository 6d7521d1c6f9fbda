import { describe, expect, it } from 'vitest';
import { secretHashAssociatedData } from '../associated-data.js';
import { operatorActor } from '../audit-actor.js';
import { readClient } from '../management/read-client.js';
import { rotateClientSecret } from '../management/rotate-credentials.js';
import { updateClient } from '../management/update-client.js';
import { type RegistrationFixture, registrationFixture } from '../testing/registration-fixture.js';
import type { ReadableClient } from './exported-client.js';
import { type ImportInput, importClient } from './import-client.js';

const HASH = '$2b$04$VMhI7ZihcyUX/0/I5nZBpe.JbUtf9PQfU1t5/YudeSFmxEfSyZPJ6';

const CLIENT: ReadableClient = {
  kind: 'client',
  id: 'hashed',
  metadata: { redirect_uris: ['https://app.example.org/cb'] },
  secret: { kind: 'hashed', value: HASH, member: 'client_secret_hash' },
  warnings: [],
};

const operator = operatorActor('alice');

const importing = (
  { deps }: RegistrationFixture,
  client: ReadableClient = CLIENT,
  options: Partial<ImportInput> = {},
) => importClient(deps, { client, operator, issuesNewSecrets: false, replacesExisting: false, ...options });

async function withHash(fixture: RegistrationFixture) {
  expect(await importing(fixture)).toEqual({ outcome: 'created', secret: 'hashed', warnings: [] });
  const client = await fixture.find('hashed');
  if (client?.secretHash === undefined) throw new Error('no hash was stored');
  return { ...client, secretHash: client.secretHash };
}

describe('a client whose secret was imported as a hash', () => {
  it('has the hash encrypted, and no secret to show', async () => {
    const fixture = await registrationFixture();
    const { id, secret, secretHash } = await withHash(fixture);
    expect(secret).toBeUndefined();
    expect(JSON.stringify(secretHash)).not.toContain(HASH);
    expect(await fixture.deps.encryptor.open(secretHash.encrypted, secretHashAssociatedData(id))).toBe(HASH);
    const { information } = await readClient(fixture.deps, { id, operator });
    expect(information).not.toHaveProperty('client_secret');
    expect(information).not.toHaveProperty('client_secret_expires_at');
    expect(JSON.stringify(information)).not.toContain('$2b$');
  });

  it('expires after the lifetime of secrets, counted from the import', async () => {
    const fixture = await registrationFixture({ clientSecretLifetimeSeconds: 60 });
    const { secretHash, issuedAt } = await withHash(fixture);
    expect(secretHash.expiresAt).toBe(issuedAt + 60);
  });

  it('gets a new secret by a rotation or an update, which deletes the hash', async () => {
    const changes: readonly ((fixture: RegistrationFixture) => Promise<unknown>)[] = [
      ({ deps }) => rotateClientSecret(deps, { id: 'hashed', operator }),
      ({ deps }) =>
        updateClient(deps, { id: 'hashed', operator, body: { ...CLIENT.metadata, client_id: 'hashed' } }),
    ];
    for (const change of changes) {
      const fixture = await registrationFixture();
      await withHash(fixture);
      expect(await change(fixture)).toMatchObject({
        information: { client_secret: expect.stringMatching(/^\w{43}$/) },
      });
      const { secret, secretHash } = (await fixture.find('hashed')) ?? {};
      expect({ hasSecret: secret !== undefined, secretHash }).toEqual({
        hasSecret: true,
        secretHash: undefined,
      });
    }
  });

  it('keeps the hash if updates do not replace secrets, and if it is imported again', async () => {
    const fixture = await registrationFixture({ rotateSecretOnUpdate: false });
    const { secretHash } = await withHash(fixture);
    const body = { ...CLIENT.metadata, client_id: 'hashed', client_name: 'Renamed' };
    await updateClient(fixture.deps, { id: 'hashed', operator, body });
    const again = await importing(fixture, CLIENT, { replacesExisting: true });
    expect(again).toEqual({ outcome: 'updated', secret: 'hashed', warnings: [] });
    expect(await fixture.find('hashed')).toMatchObject({ secretHash, version: 3 });
  });

  it('uses the secret itself if a later export contains it', async () => {
    const fixture = await registrationFixture();
    await withHash(fixture);
    const client: ReadableClient = { ...CLIENT, secret: { kind: 'given', value: 'hunter2' } };
    expect(await importing(fixture, client, { replacesExisting: true })).toMatchObject({ secret: 'kept' });
    const { secret, secretHash } = (await fixture.find('hashed')) ?? {};
    expect(secret?.digest).toEqual(fixture.deps.digester.digest('client-secret', 'hunter2'));
    expect(secretHash).toBeUndefined();
  });

  it.each([
    ['token_endpoint_auth_method', { token_endpoint_auth_method: 'client_secret_jwt' }],
    ['id_token_signed_response_alg', { id_token_signed_response_alg: 'HS256' }],
    ['userinfo_encrypted_response_alg', { userinfo_encrypted_response_alg: 'dir' }],
    ['request_object_signing_alg', { request_object_signing_alg: 'HS256' }],
  ])('can use nothing that requires the secret itself: %s', async (member, changes) => {
    const fixture = await registrationFixture();
    const client = { ...CLIENT, metadata: { ...CLIENT.metadata, ...changes } };
    expect(await importing(fixture, client)).toEqual({
      outcome: 'secret_lost',
      reason: `The export has only a hash of the secret (client_secret_hash); ${member} needs the secret itself.`,
    });
    expect(await importing(fixture, client, { issuesNewSecrets: true })).toMatchObject({ secret: 'new' });
  });
});

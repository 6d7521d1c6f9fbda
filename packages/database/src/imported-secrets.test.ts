import { randomBytes } from 'node:crypto';
import {
  type AuthenticatedClient,
  authenticateClient,
  type ClientAuthDeps,
  importedSecrets,
} from '@vestibule/client-auth';
import type { Client } from '@vestibule/clients';
import { secretAssociatedData, secretHashAssociatedData } from '@vestibule/clients/associated-data';
import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { type EpochSeconds, epochSeconds, systemClock, ThrottledError } from '@vestibule/protocol';
import type { Deadline } from '@vestibule/protocol/runtime';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openStore, type Store } from './open-store.js';
import { aClient, anId } from './testing/fixtures.js';
import { aMigratedDatabase, query } from './testing/test-database.js';

const SECRET = 'hunter2';
const HASH = '$2b$04$VMhI7ZihcyUX/0/I5nZBpe.JbUtf9PQfU1t5/YudeSFmxEfSyZPJ6';
const ID = anId('moved');

const now = (): EpochSeconds => epochSeconds(Math.floor(Date.now() / 1_000));

const FAR: Deadline = { limitMs: 1, scheduler: { after: () => () => undefined } };
const PASSED: Deadline = {
  limitMs: 1,
  scheduler: {
    after: (_, run) => {
      run();
      return () => undefined;
    },
  },
};

/** A service with a store of its own, like a process. */
function service(store: Store, deadline = FAR): ClientAuthDeps {
  const { database, digester, encryptor } = store;
  const clock = systemClock;
  return {
    clock,
    digester,
    clients: database.clients,
    secretOverlapSeconds: 0,
    importedSecrets: importedSecrets({
      clients: database.clients,
      digester,
      encryptor,
      clock,
      deadline,
    }),
  };
}

/** Two processes on one database with a client whose secret was imported as a hash. */
async function moved(changes: { readonly expiresAt?: EpochSeconds; readonly method?: string } = {}) {
  const url = await aMigratedDatabase();
  const keys = parseKeyEncryptionKeys(randomBytes(32).toString('base64url'));
  const open = async () => {
    const store = openStore({
      connection: { url, poolSize: 4, applicationName: 'test', onConnectionError: () => undefined },
      keyEncryptionKeys: keys,
      clock: systemClock,
      random: secureRandom,
      onProblem: (error) => expect.fail(String(error)),
    });
    onTestFinished(() => store.close());
    await store.opened;
    return store;
  };
  const stores = [await open(), await open()] as const;
  const [one, other] = stores;
  const { method = 'client_secret_basic', expiresAt } = changes;
  const client = aClient({
    id: ID,
    metadata: { token_endpoint_auth_method: method } as Client['metadata'],
    secretHash: {
      encrypted: await one.encryptor.encrypt(HASH, secretHashAssociatedData(ID)),
      ...(expiresAt !== undefined && { expiresAt }),
    },
  });
  await one.database.clients.create(client);
  const present = (secret: string, store: Store = one, deadline = FAR) =>
    authenticateClient(service(store, deadline), {
      authorization: `Basic ${Buffer.from(`${ID}:${secret}`).toString('base64')}`,
      form: {},
    });
  return {
    ...{ url, one, other, present },
    stored: () => other.database.clients.find(ID),
    takenOver: async () =>
      (await query(url, `SELECT 1 FROM audit_event WHERE action = 'client.secret_taken_over'`)).length,
  };
}

const isSecretOf = ({ digester }: Store, client: Client | undefined, secret: string) =>
  client?.secret !== undefined && digester.matches('client-secret', secret, client.secret.digest);

const outcome = (attempt: Promise<AuthenticatedClient>) =>
  attempt.then(
    () => 'accepted',
    (error: { readonly code?: string }) => error.code,
  );

describe('the first use of a secret that was imported as a hash', () => {
  it('stores it as the secret of the client, and deletes the hash', async () => {
    const { present, stored, one, takenOver } = await moved();
    const before = await stored();
    expect(await outcome(present('hunter3'))).toBe('invalid_client');
    expect(await stored()).toStrictEqual(before);
    expect(await outcome(present(SECRET))).toBe('accepted');
    const after = await stored();
    expect(after?.secretHash).toBeUndefined();
    expect(isSecretOf(one, after, SECRET)).toBe(true);
    expect(await one.encryptor.open(after?.secret?.encrypted ?? '', secretAssociatedData(ID))).toBe(SECRET);
    expect(after?.version).toBe(2);
    expect(await takenOver()).toBe(1);
    expect(await outcome(present(SECRET))).toBe('accepted');
    expect(await outcome(present('hunter3'))).toBe('invalid_client');
    expect((await stored())?.version).toBe(2);
  });

  it('succeeds for all parallel uses in several processes, and is stored once', async () => {
    const { present, stored, one, other, takenOver } = await moved();
    const attempts = Array.from({ length: 60 }, (_, index) =>
      outcome(present(SECRET, index % 2 === 0 ? one : other)),
    );
    expect(new Set(await Promise.all(attempts))).toEqual(new Set(['accepted']));
    expect((await stored())?.version).toBe(2);
    expect(await takenOver()).toBe(1);
  });

  it('is refused with Retry-After when verifying takes too long, and succeeds at the next try', async () => {
    const { present, stored, one } = await moved();
    await expect(present(SECRET, one, PASSED)).rejects.toThrow(ThrottledError);
    await vi.waitFor(async () => expect(isSecretOf(one, await stored(), SECRET)).toBe(true), 60_000);
    expect(await outcome(present(SECRET, one, PASSED))).toBe('accepted');
  });

  it('never restores the hash, nor undoes a change in between', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { present, stored, one, other } = await moved();
      const found = await one.database.clients.find(ID);
      if (found === undefined) throw new Error('no client');
      const { secretHash: _, ...lasting } = found;
      const encrypted = await one.encryptor.encrypt('replaced', secretAssociatedData(ID));
      const digest = one.digester.digest('client-secret', 'replaced');
      const rotation = { ...lasting, secret: { digest, encrypted }, version: found.version + 1 };
      const [proven, isRotated] = await Promise.all([
        outcome(present(SECRET, other)),
        one.database.clients.replace({ client: rotation }),
      ]);
      const after = await stored();
      expect(after?.secretHash).toBeUndefined();
      expect(isSecretOf(one, after, isRotated ? 'replaced' : SECRET)).toBe(true);
      expect(await outcome(present(SECRET))).toBe(isRotated ? 'invalid_client' : 'accepted');
      if (!isRotated) expect(proven).toBe('accepted');
    }
  });

  it('is refused once the secret has expired, and keeps its expiry otherwise', async () => {
    const past = await moved({ expiresAt: epochSeconds(now() - 1) });
    expect(await outcome(past.present(SECRET))).toBe('invalid_client');
    const end = epochSeconds(now() + 600);
    const living = await moved({ expiresAt: end });
    expect(await outcome(living.present(SECRET))).toBe('accepted');
    expect((await living.stored())?.secret?.expiresAt).toBe(end);
  });

  it('stores nothing if another method than the registered one is used', async () => {
    for (const method of ['client_secret_post', 'private_key_jwt', 'none']) {
      const { present, stored } = await moved({ method });
      const before = await stored();
      expect(await outcome(present(SECRET))).toBe('invalid_client');
      expect(await stored()).toStrictEqual(before);
    }
  });
});

// A version that does not know the column sets a secret and leaves the hash.
it('ignores a hash if there is a secret', async () => {
  const { url, one, stored, present } = await moved();
  const digest = one.digester.digest('client-secret', 'issued later');
  await query(url, `UPDATE client SET secret_digest = $1, secret_sealed = 'x', version = 2`, [digest]);
  const client = await stored();
  expect(isSecretOf(one, client, 'issued later')).toBe(true);
  expect(client?.secretHash).toBeUndefined();
  expect(await outcome(present(SECRET))).toBe('invalid_client');
  expect(await outcome(present('issued later'))).toBe('accepted');
});

import { describe, expect, it } from 'vitest';
import { failure } from '../testing/failure.js';
import { MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { deleteClient } from './delete-client.js';
import { readClient } from './read-client.js';

async function registered() {
  const fixture = await registrationFixture({ allowOpenRegistration: true });
  const { information } = await fixture.register({ redirect_uris: ['https://app.example.org/cb'] });
  return { ...fixture, id: information.client_id, token: String(information['registration_access_token']) };
}

describe('deleting a client', () => {
  it('is permitted with the master token and the registration access token of the client', async () => {
    for (const isMaster of [true, false]) {
      const { all, deps, id, token } = await registered();
      await deleteClient(deps, { id, token: isMaster ? MASTER : token });
      expect(await all()).toEqual([]);
    }
  });

  it('deletes no client that changes after the check of its condition', async () => {
    const { all, change, deps, id, token } = await registered();
    const { entityTag } = await readClient(deps, { id, token });
    const meanwhile = { changes: 1 };
    const clients: typeof deps.clients = {
      ...deps.clients,
      delete: async (...deletion) => {
        for (; meanwhile.changes > 0; meanwhile.changes -= 1) await change(id, (client) => client);
        return deps.clients.delete(...deletion);
      },
    };
    await expect(deleteClient({ ...deps, clients }, { id, token, ifMatch: [entityTag] })).rejects.toEqual(
      failure('precondition_failed'),
    );
    expect(await all()).toHaveLength(1);
    meanwhile.changes = 1;
    await deleteClient({ ...deps, clients }, { id, token, ifMatch: '*' });
    expect(await all()).toEqual([]);
    await expect(deleteClient(deps, { id, token: MASTER, ifMatch: '*' })).rejects.toEqual(
      failure('not_found'),
    );
  });

  it('is refused without a token, and with that of another client', async () => {
    const { all, deps, id, register } = await registered();
    const { information } = await register({ redirect_uris: ['https://app.example.org/cb'] });
    await expect(deleteClient(deps, { id })).rejects.toEqual(failure('missing_token'));
    const token = String(information['registration_access_token']);
    await expect(deleteClient(deps, { id, token })).rejects.toEqual(failure('invalid_token'));
    expect(await all()).toHaveLength(2);
  });

  it('makes the client as unknown as if it had never existed (registration/API.md#delete)', async () => {
    const { deps, id, token } = await registered();
    await deleteClient(deps, { id, token });
    for (const operation of [deleteClient, readClient]) {
      await expect(operation(deps, { id, token })).rejects.toEqual(failure('invalid_token'));
      await expect(operation(deps, { id, token: MASTER })).rejects.toEqual(failure('not_found'));
    }
  });

  it.each([
    { bearer: 'master', code: 'not_found' },
    { bearer: 'registration', code: 'invalid_token' },
  ])('succeeds once, however many deletions run in parallel ($bearer token)', async ({ bearer, code }) => {
    const { deps, id, token } = await registered();
    const request = { id, token: bearer === 'master' ? MASTER : token };
    const attempts = Array.from({ length: 10 }, () =>
      deleteClient(deps, request).then(
        () => 'deleted',
        (error) => error.code,
      ),
    );
    expect((await Promise.all(attempts)).sort()).toEqual(['deleted', ...Array(9).fill(code)].sort());
  });
});

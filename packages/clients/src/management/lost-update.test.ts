import { describe, expect, it } from 'vitest';
import { failure } from '../testing/failure.js';
import { MASTER } from '../testing/registration-fixture.js';
import { REDIRECT, registered, secretOf, tokenOf } from '../testing/updated-client.js';
import { changeClientStatus, readClientStatus } from './client-status.js';
import { deleteClient } from './delete-client.js';
import { readClient } from './read-client.js';
import { rotateClientSecret } from './rotate-credentials.js';
import { dryRunUpdate, updateClient } from './update-client.js';

describe('a lost response', () => {
  it('leaves the previous token valid until the new one is first used', async () => {
    const { deps, id, token, update } = await registered();
    const lost = await update({ client_name: 'Lost' });
    expect((await readClient(deps, { id, token })).information['client_name']).toBe('Lost');
    await readClient(deps, { id, token: tokenOf(lost) });
    await expect(readClient(deps, { id, token })).rejects.toEqual(failure('invalid_token'));
    await expect(update({})).rejects.toEqual(failure('invalid_token'));
  });

  it('ends the previous token with the first use of the new one, even while the update is repeated', async () => {
    const { deps, find, id, token, update } = await registered();
    const next = tokenOf(await update({}));
    const clients: typeof deps.clients = {
      ...deps.clients,
      previousSecrets: async (...requested) => {
        await readClient(deps, { id, token: next });
        return deps.clients.previousSecrets(...requested);
      },
    };
    const body = { ...REDIRECT, client_id: id };
    await expect(updateClient({ ...deps, clients }, { id, token, body })).rejects.toEqual(
      failure('invalid_token'),
    );
    expect(await find(id)).toMatchObject({ version: 2 });
  });

  it('is checked again if another update arrives while the previous token ends', async () => {
    const { deps, id, update } = await registered();
    const next = tokenOf(await update({}));
    let latest = '';
    const clients: typeof deps.clients = {
      ...deps.clients,
      forgetPreviousRegistrationToken: async (...forgotten) => {
        latest = tokenOf(await update({ client_name: 'Meanwhile' }, next));
        return deps.clients.forgetPreviousRegistrationToken(...forgotten);
      },
    };
    const { information } = await readClient({ ...deps, clients }, { id, token: next });
    expect(information).toMatchObject({ client_name: 'Meanwhile', registration_access_token: latest });
  });

  it('is returned again for exactly the same update, with the body as it was sent', async () => {
    const { find, id, information, update } = await registered({ clientSecretLifetimeSeconds: 600 });
    const sent = { ...information, client_name: 'New' };
    const lost = await update(sent);
    for (const body of [sent, { client_name: 'New' }, { ...sent, client_secret: secretOf(lost) }])
      expect(await update(body)).toEqual(lost);
    expect(await find(id)).toMatchObject({ version: 2 });
    await expect(update(sent, tokenOf(lost))).rejects.toEqual(failure('invalid_request'));
  });

  it('is returned again for a repeated patch, and in a dry run', async () => {
    const { deps, id, token } = await registered();
    const patch = { id, token, isPatch: true, body: { client_name: 'New' } };
    const lost = await updateClient(deps, patch);
    expect(await updateClient(deps, patch)).toEqual(lost);
    expect(await dryRunUpdate(deps, patch)).toMatchObject({ client_name: 'New' });
  });

  it('is not returned for a secret that the client never had', async () => {
    const { information, update } = await registered();
    const lost = await update({});
    for (const wrong of [
      { client_secret: 'made-up' },
      { client_secret: tokenOf(lost) },
      { client_secret_expires_at: '0' },
      { client_id_issued_at: Number(information['client_id_issued_at']) + 1 },
    ])
      await expect(update(wrong), JSON.stringify(wrong)).rejects.toEqual(failure('invalid_request'));
  });

  it('is returned with a new secret if the previous one has expired', async () => {
    const { clock, update } = await registered({ clientSecretLifetimeSeconds: 300 });
    const lost = await update({});
    clock.advanceSeconds(300);
    const repeated = await update({});
    expect(secretOf(repeated)).not.toBe(secretOf(lost));
    expect(tokenOf(repeated)).toBe(tokenOf(lost));
  });

  it('permits the previous token only to read and to repeat the update', async () => {
    const { deps, find, id, information, token, update } = await registered();
    const lost = await update({ client_name: 'New' });
    const before = await find(id);
    const refused = failure('insufficient_scope');
    for (const other of [
      {},
      { client_name: 'Other' },
      { ...information },
      { redirect_uris: ['https://x.example/'] },
    ])
      await expect(update(other), JSON.stringify(other)).rejects.toEqual(refused);
    const body = { client_name: 'Other' };
    await expect(updateClient(deps, { id, token, isPatch: true, body })).rejects.toEqual(refused);
    await expect(dryRunUpdate(deps, { id, token, isPatch: true, body })).rejects.toEqual(refused);
    await expect(deleteClient(deps, { id, token })).rejects.toEqual(refused);
    await expect(rotateClientSecret(deps, { id, token })).rejects.toEqual(refused);
    await expect(changeClientStatus(deps, { status: 'active', id, token })).rejects.toEqual(refused);
    expect(await readClientStatus(deps, { id, token })).toMatchObject({ status: 'active' });
    expect((await readClient(deps, { id, token })).information).toEqual(lost.information);
    expect(await find(id)).toEqual(before);
  });

  it('leaves both tokens unchanged if an operator updates the client in the meantime', async () => {
    const { deps, id, token, update } = await registered();
    const lost = await update({});
    const byOperator = await update({ client_name: 'Operated' }, MASTER);
    expect(tokenOf(byOperator)).toBe(tokenOf(lost));
    expect((await readClient(deps, { id, token })).information['client_name']).toBe('Operated');
    await readClient(deps, { id, token: tokenOf(lost) });
    await expect(readClient(deps, { id, token })).rejects.toEqual(failure('invalid_token'));
  });

  it('leaves the previous token valid for ten minutes at most, however often the update is repeated', async () => {
    const { deps, clock, id, token, update } = await registered();
    await update({});
    clock.advanceSeconds(599);
    const repeated = await update({});
    await readClient(deps, { id, token });
    clock.advanceSeconds(1);
    await expect(readClient(deps, { id, token })).rejects.toEqual(failure('invalid_token'));
    await expect(readClient(deps, { id, token: tokenOf(repeated) })).resolves.toBeDefined();
  });

  it('revokes the previous secret unless an overlap is configured', async () => {
    for (const [clientSecretOverlapSeconds, until] of [
      [0, undefined],
      [60, 60],
    ] as const) {
      const { deps, clock, find, id, update } = await registered({ clientSecretOverlapSeconds });
      await update({});
      const now = Math.floor(clock.nowMs() / 1000);
      const client = await find(id);
      const [previous] = client ? await deps.clients.previousSecrets(client.id, client.updatedAt) : [];
      expect(previous?.authenticatesUntil).toBe(until && now + until);
      expect(previous?.keptUntil).toBe(now + 2_592_000);
    }
  });
});

describe('a previous secret', () => {
  const previousOf = async ({ deps, find, id }: Awaited<ReturnType<typeof registered>>) => {
    const client = await find(id);
    return client ? deps.clients.previousSecrets(client.id, client.updatedAt) : [];
  };

  it('never authenticates beyond its own expiry', async () => {
    const fixture = await registered({ clientSecretOverlapSeconds: 60, clientSecretLifetimeSeconds: 100 });
    fixture.clock.advanceSeconds(70);
    await fixture.update({});
    const [previous] = await previousOf(fixture);
    expect(previous?.authenticatesUntil).toBe(fixture.information['client_secret_expires_at']);
  });

  it('never authenticates a client that became public', async () => {
    const fixture = await registered({ clientSecretOverlapSeconds: 60 });
    await fixture.update({ token_endpoint_auth_method: 'none' });
    const [previous] = await previousOf(fixture);
    expect(previous).toBeDefined();
    expect(previous).not.toHaveProperty('authenticatesUntil');
  });

  it('is not stored if the retention is zero', async () => {
    const fixture = await registered({ previousSecretRetentionSeconds: 0 });
    await fixture.update({});
    expect(await previousOf(fixture)).toEqual([]);
  });
});

import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { failure } from '../testing/failure.js';
import { ISSUER, MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { REDIRECT, registered, tokenOf } from '../testing/updated-client.js';
import { dryRunUpdate, updateClient } from './update-client.js';

describe('the granted scopes', () => {
  it('are permanently those of the registration', async () => {
    const scope = 'client-reg:grant:code client-reg:grant:client client-reg:scope:read client-reg:data';
    const { update } = await registered({ allowOpenRegistration: false }, {}, scope);
    const wide = { grant_types: ['authorization_code', 'client_credentials'], scope: 'read', data: { a: 1 } };
    const first = await update(wide);
    expect(first.information).toMatchObject(wide);
    await expect(update({ scope: 'read write' }, tokenOf(first))).rejects.toEqual(
      failure('insufficient_scope'),
    );
    const second = await update({}, tokenOf(first));
    expect(second.information).not.toHaveProperty('data');
    await expect(update(wide, tokenOf(second))).resolves.toBeDefined();
  });

  it('are extended by exactly what an update with the master token adds', async () => {
    const { token, update } = await registered();
    const given = { grant_types: ['authorization_code', 'password'], scope: 'read', data: { a: 1 } };
    const byMaster = await update(given, MASTER);
    const kept = await update({ ...given, client_name: 'Own' }, tokenOf(byMaster));
    expect(kept.information).toMatchObject({ ...given, client_name: 'Own' });
    const beyond = [{ scope: 'read write' }, { grant_types: ['client_credentials'] }, { data: { a: 2 } }];
    for (const more of beyond) {
      await expect(update({ ...given, ...more }, tokenOf(kept))).rejects.toEqual(
        failure('insufficient_scope'),
      );
    }
    await expect(update({}, token)).rejects.toEqual(failure('invalid_token'));
  });

  it('of a client that the master token registered are those that its registration uses and the open ones', async () => {
    const used = { grant_types: ['client_credentials'], redirect_uris: [], scope: 'read', data: { a: 1 } };
    const fixture = await registrationFixture();
    const { information } = await fixture.register(used, MASTER);
    const id = information.client_id;
    const token = tokenOf({ information });
    const dryRun = (changes: JsonObject) =>
      dryRunUpdate(fixture.deps, { id, token, body: { ...used, ...changes, client_id: id } });
    await expect(dryRun({})).resolves.toMatchObject(used);
    const open = { ...REDIRECT, grant_types: ['authorization_code', 'implicit', 'refresh_token'] };
    await expect(dryRun({ ...open, response_types: ['code', 'id_token'] })).resolves.toMatchObject(open);
    for (const more of [
      { grant_types: ['client_credentials', 'password'] },
      { scope: 'read write' },
      { scope: `${ISSUER}/token/introspect` },
      { data: { a: 2 } },
    ])
      await expect(dryRun(more), JSON.stringify(more)).rejects.toEqual(failure('insufficient_scope'));
  });

  it('bind a client even if they are unlimited, unless an initial access token granted them', async () => {
    const { change, id, update } = await registered(
      { rotateRegistrationTokenOnUpdate: false },
      {},
      'client-reg',
    );
    await expect(update({ scope: 'read' })).resolves.toBeDefined();
    // As earlier versions stored clients of the master token.
    await change(id, ({ registrar: _registrar, ...client }) => client);
    await expect(update({ scope: 'read' })).resolves.toBeDefined();
    for (const more of [{ scope: 'read write' }, { grant_types: ['password'] }, { data: {} }])
      await expect(update(more)).rejects.toEqual(failure('insufficient_scope'));
    await update({ scope: 'write' }, MASTER);
    await expect(update({ scope: 'read' })).rejects.toEqual(failure('insufficient_scope'));
  });
});

describe('data of a client without the scope for it', () => {
  const DATA = { tenant: 'acme', plan: { tier: 'gold' } };
  const settings = { rotateRegistrationTokenOnUpdate: false };
  const given = async () => {
    const fixture = await registered(settings);
    await fixture.update({ data: DATA }, MASTER);
    const patch = (body: JsonObject) =>
      updateClient(fixture.deps, { id: fixture.id, token: fixture.token, isPatch: true, body });
    return { ...fixture, patch };
  };

  it('keeps the values of the operator if an update leaves it out, in a dry run too', async () => {
    const { deps, id, token, update } = await given();
    const body = { ...REDIRECT, client_id: id, data: null };
    expect(await dryRunUpdate(deps, { id, token, body })).toMatchObject({ data: DATA });
    expect((await update({ client_name: 'Own' })).information).toMatchObject({ data: DATA });
    expect((await update({ data: null })).information).toMatchObject({ data: DATA });
  });

  it('may be written back as it was read', async () => {
    const { update, patch } = await given();
    const other = { plan: { tier: 'gold' }, tenant: 'acme' };
    expect((await update({ data: other, client_name: 'Own' })).information).toMatchObject({ data: DATA });
    expect((await patch({ data: { plan: { tier: 'gold' } } })).information).toMatchObject({ data: DATA });
  });

  it('cannot be changed or removed', async () => {
    const { find, id, update, patch } = await given();
    for (const data of [{}, { tenant: 'other' }, { ...DATA, more: 1 }])
      await expect(update({ data }), JSON.stringify(data)).rejects.toEqual(failure('insufficient_scope'));
    for (const data of [null, { tenant: 'other' }, { plan: null }])
      await expect(patch({ data }), JSON.stringify(data)).rejects.toEqual(failure('insufficient_scope'));
    expect((await find(id))?.data).toEqual(DATA);
  });

  it('is removed by an update of the operator that leaves it out', async () => {
    const { find, id, update } = await given();
    await update({}, MASTER);
    expect(await find(id)).not.toHaveProperty('data');
  });
});

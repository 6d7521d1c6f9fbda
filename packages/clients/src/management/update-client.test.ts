import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import type { EntityTagCondition } from '../client-response.js';
import { ISSUER, MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { changeClientStatus, readClientStatus } from './client-status.js';
import { deleteClient } from './delete-client.js';
import { readClient } from './read-client.js';
import { rotateClientSecret } from './rotate-credentials.js';
import { dryRunUpdate, updateClient } from './update-client.js';

const REDIRECT = { redirect_uris: ['https://app.example.org/cb'] };
const failure = (code: string) => expect.objectContaining({ code });

async function registered(settings = {}, body: JsonObject = {}, scope?: string) {
  const fixture = await registrationFixture({ allowOpenRegistration: true, ...settings });
  const initial = scope === undefined ? undefined : await fixture.issue(scope);
  const { information } = await fixture.register({ ...REDIRECT, ...body }, initial);
  const id = information.client_id;
  const token = String(information['registration_access_token']);
  const update = (changes: JsonObject, bearer = token, ifMatch?: EntityTagCondition) =>
    updateClient(fixture.deps, {
      id,
      token: bearer,
      body: { ...REDIRECT, client_id: id, ...changes },
      ifMatch,
    });
  return { ...fixture, information, id, token, update };
}

const tokenOf = ({ information }: { information: JsonObject }) =>
  String(information['registration_access_token']);
const secretOf = ({ information }: { information: JsonObject }) => String(information['client_secret']);

describe('an update', () => {
  it('replaces everything except identifier and time of issue (RFC 7592 section 2.2)', async () => {
    const { clock, id, information, update } = await registered(
      {},
      { client_name: 'Shop', contacts: ['a@example.org'] },
    );
    clock.advanceSeconds(60);
    const { information: updated, version } = await update({ logo_uri: 'https://app.example.org/logo' });
    expect(updated).toMatchObject({
      client_id: id,
      client_id_issued_at: information['client_id_issued_at'],
      logo_uri: 'https://app.example.org/logo',
    });
    expect(updated).not.toHaveProperty('client_name');
    expect(updated).not.toHaveProperty('contacts');
    expect(version).toBe(2);
  });

  it('issues a new secret and a new registration access token each time (registration/API.md#update)', async () => {
    const { information, update } = await registered();
    const first = await update({});
    const second = await update({}, tokenOf(first));
    expect(new Set([information['client_secret'], secretOf(first), secretOf(second)]).size).toBe(3);
    expect(new Set([information['registration_access_token'], tokenOf(first), tokenOf(second)]).size).toBe(3);
  });

  it('keeps them if the settings say so', async () => {
    const { information, update } = await registered({
      rotateSecretOnUpdate: false,
      rotateRegistrationTokenOnUpdate: false,
    });
    const { information: updated } = await update({});
    for (const name of ['client_secret', 'registration_access_token'])
      expect(updated[name]).toBe(information[name]);
  });

  it('returns the current token if tokens are no longer rotated and the previous one is presented', async () => {
    const { deps, id, token, update } = await registered();
    const lost = await update({});
    const settings = { ...deps.settings, rotateRegistrationTokenOnUpdate: false };
    const body = { ...REDIRECT, client_id: id };
    const repeated = await updateClient({ ...deps, settings }, { id, token, body });
    expect(tokenOf(repeated)).toBe(tokenOf(lost));
    await expect(readClient(deps, { id, token: tokenOf(repeated) })).resolves.toBeDefined();
  });

  it('replaces a secret that is too short or expired, even if the settings would keep it', async () => {
    const settings = { rotateSecretOnUpdate: false, clientSecretLifetimeSeconds: 100 };
    const short = await registered(settings);
    expect(secretOf(await short.update({ id_token_signed_response_alg: 'HS512' }))).toHaveLength(64);
    const expired = await registered(settings);
    expired.clock.advanceSeconds(100);
    expect(secretOf(await expired.update({}))).not.toBe(expired.information['client_secret']);
  });

  it('accepts a registration that was read, changed and written back', async () => {
    const { deps, id, token, update } = await registered({ clientSecretLifetimeSeconds: 1000 });
    const { information } = await readClient(deps, { id, token });
    const { information: updated } = await update({ ...information, client_name: 'Changed' });
    expect(updated['client_name']).toBe('Changed');
    const byMaster = (await readClient(deps, { id, token: MASTER })).information;
    await expect(update({ ...byMaster, client_name: 'Again' }, MASTER)).resolves.toBeDefined();
  });

  it('refuses another client_id, and issued members that differ from the current ones', async () => {
    const { id, information, update } = await registered();
    for (const wrong of [null, '', 'other', `${id}x`, 1, [id]]) {
      await expect(update({ client_id: wrong })).rejects.toEqual(failure('invalid_request'));
    }
    const members = {
      client_secret: ['chosen-by-myself', '', 1],
      client_secret_expires_at: [1, '0'],
      client_id_issued_at: [0, String(information['client_id_issued_at'])],
      registration_client_uri: ['https://evil.example/', `${information['registration_client_uri']}/`],
      registration_access_token: ['chosen-by-myself', information['client_secret'] ?? null],
    };
    for (const [name, values] of Object.entries(members)) {
      for (const value of values) {
        await expect(update({ [name]: value }), name).rejects.toEqual(failure('invalid_request'));
      }
    }
  });

  it('treats null as absent in issued members too', async () => {
    const nothing = { client_secret: null, client_secret_expires_at: null, registration_access_token: null };
    const { update } = await registered();
    await expect(update({ ...nothing, client_id_issued_at: null })).resolves.toBeDefined();
  });

  it('refuses everything that a registration refuses, and then changes nothing', async () => {
    const { deps, id, information, token, update } = await registered();
    const refused: [JsonObject, string][] = [
      [{ redirect_uris: ['http://app.example.org/'] }, 'invalid_redirect_uri'],
      [{ redirect_uris: null }, 'invalid_redirect_uri'],
      [{ contacts: [''] }, 'invalid_client_metadata'],
      [{ data: 1 }, 'invalid_client_metadata'],
      [{ grant_types: ['authorization_code', 'password'] }, 'insufficient_scope'],
      [{ scope: 'read' }, 'insufficient_scope'],
      [{ data: {} }, 'insufficient_scope'],
      [{ preferred_client_secret: 's'.repeat(43) }, 'insufficient_scope'],
      [{ preferred_client_id: 'other' }, 'insufficient_scope'],
    ];
    for (const [changes, code] of refused) await expect(update(changes)).rejects.toEqual(failure(code));
    expect((await readClient(deps, { id, token })).information).toEqual(information);
  });

  it('accepts no presets, whatever the granted scopes', async () => {
    const { update } = await registered({}, {}, 'client-reg');
    for (const preset of [{ preferred_client_id: 'other' }, { preferred_client_secret: 's'.repeat(43) }]) {
      await expect(update(preset, MASTER)).rejects.toEqual(failure('invalid_request'));
      await expect(update(preset)).rejects.toEqual(failure('invalid_request'));
    }
  });

  it('reads the sector document again', async () => {
    const { deps, update } = await registered();
    const sector = { sector_identifier_uri: 'https://app.example.org/sector.json' };
    Object.assign(deps, { sectorIdentifiers: { read: async () => [] } });
    await expect(update(sector)).rejects.toEqual(failure('invalid_client_metadata'));
    Object.assign(deps, { sectorIdentifiers: { read: async () => REDIRECT.redirect_uris } });
    await expect(update(sector)).resolves.toMatchObject({ information: sector });
  });

  it('replaces only the version that was read, whichever token read it', async () => {
    const { update, token, deps, id } = await registered();
    const { entityTag: tag } = await readClient(deps, { id, token: MASTER });
    for (const condition of [[], ['other'], [''], [`${tag}x`], [tag.slice(1)]])
      await expect(update({}, token, condition)).rejects.toEqual(failure('precondition_failed'));
    const first = await update({}, token, ['other', tag]);
    expect(first.entityTag).not.toBe(tag);
    await expect(update({}, tokenOf(first), [tag])).rejects.toEqual(failure('precondition_failed'));
    const second = await update({}, tokenOf(first), [first.entityTag]);
    await expect(update({}, tokenOf(second), '*')).resolves.toBeDefined();
  });

  it('accepts the tag of a read with the previous token, which shows its successor', async () => {
    for (const operation of [dryRunUpdate, updateClient]) {
      const { update, token, deps, id } = await registered();
      const lost = await update({ client_name: 'Lost' });
      const { information, entityTag } = await readClient(deps, { id, token });
      expect(information).toEqual(lost.information);
      const body = { ...information };
      await expect(operation(deps, { id, token, body, ifMatch: ['x'] })).rejects.toEqual(
        failure('precondition_failed'),
      );
      await operation(deps, { id, token, body, ifMatch: [entityTag] });
    }
  });

  it('reports a changed client before it checks the request', async () => {
    const { update, token } = await registered();
    const bad = { redirect_uris: 'none' };
    await expect(update(bad, token, ['other'])).rejects.toEqual(failure('precondition_failed'));
    await expect(update(bad, 'wrong', '*')).rejects.toEqual(failure('invalid_token'));
  });
});

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

describe('the type of a client', () => {
  it('determines whether it has a secret', async () => {
    const { deps, find, id, update } = await registered({}, { token_endpoint_auth_method: 'none' });
    const confidential = await update({ token_endpoint_auth_method: 'client_secret_post' });
    expect(secretOf(confidential)).toHaveLength(43);
    const open = await update({ token_endpoint_auth_method: 'none' }, tokenOf(confidential));
    expect(open.information).not.toHaveProperty('client_secret');
    const client = await find(id);
    expect(client).not.toHaveProperty('secret');
    const [previous, ...others] = client
      ? await deps.clients.previousSecrets(client.id, client.updatedAt)
      : [];
    expect([previous?.authenticatesUntil, others]).toEqual([undefined, []]);
  });
});

describe('parallel updates', () => {
  it('leave the registration of exactly one request, with its credentials', async () => {
    const { deps, id, token, update } = await registered();
    const names = Array.from({ length: 20 }, (_, i) => `Name ${i}`);
    const results = await Promise.allSettled(names.map((client_name) => update({ client_name })));
    const { information: final } = await readClient(deps, { id, token: MASTER });
    const won = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value.information] : [],
    );
    expect([final]).toMatchObject(won);
    expect(won).toHaveLength(1);
    for (const result of results.filter(({ status }) => status === 'rejected'))
      expect(result).toMatchObject({ reason: failure('insufficient_scope') });
    expect([(await readClient(deps, { id, token })).information]).toEqual(won);
  });

  it('are refused except one if all write back the same version', async () => {
    const { deps, id, token, update } = await registered();
    const { information } = await readClient(deps, { id, token });
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) => update({ ...information, client_name: `Name ${i}` })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

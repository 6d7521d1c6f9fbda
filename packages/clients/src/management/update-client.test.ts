import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { failure } from '../testing/failure.js';
import { MASTER } from '../testing/registration-fixture.js';
import { REDIRECT, registered, secretOf, tokenOf } from '../testing/updated-client.js';
import { readClient } from './read-client.js';
import { dryRunUpdate, updateClient } from './update-client.js';

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

import { DomainError } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { updateClient } from '../management/update-client.js';
import { failure } from '../testing/failure.js';
import { MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { parseDeclaredPolicies } from './declared-policies.js';
import { declaredPolicy } from './declared-policy.js';

const REDIRECT = { redirect_uris: ['https://app.example.org/cb'] };
const SECTOR = 'https://group.example.org/sector';
const breaks = (member: string, operator: string, code = 'invalid_client_metadata') =>
  failure(code, `${member}: violates ${operator} of the registration policy`);

async function under(policies: JsonObject) {
  const fixture = await registrationFixture({ allowOpenRegistration: true });
  Object.assign(fixture.deps, { policy: declaredPolicy(parseDeclaredPolicies(policies)) });
  const { deps } = fixture;
  const update = ({ information }: { information: JsonObject }, changes: JsonObject, bearer?: string) => {
    const id = String(information['client_id']);
    const token = bearer ?? String(information['registration_access_token']);
    return updateClient(deps, { id, token, body: { ...REDIRECT, client_id: id, ...changes } });
  };
  const register = (body: JsonObject, token?: string) => fixture.register({ ...REDIRECT, ...body }, token);
  return { ...fixture, register, update };
}

describe('a declared policy', () => {
  it('applies its section for the registrant, and its section for all', async () => {
    const { register, issue } = await under({
      any: { contacts: { add: ['ops@example.org'] } },
      anonymous: { client_name: { value: 'Anonymous' } },
      initial_access_token: { client_name: { value: 'Invited' } },
      master_token: { client_name: { default: 'Ours' } },
    });
    const token = await issue('client-reg:grant:code');
    const contacts = ['ops@example.org'];
    for (const [bearer, client_name] of [
      [undefined, 'Anonymous'],
      [token, 'Invited'],
      [MASTER, 'Asked'],
    ]) {
      const { information } = await register({ client_name: 'Asked' }, bearer);
      expect(information).toMatchObject({ client_name, contacts });
    }
  });

  it('refuses a redirect URI with its own error code, and quotes nothing', async () => {
    const { register } = await under({
      any: { redirect_uris: { superset_of: ['https://portal.example.org/cb'] } },
    });
    await expect(register({})).rejects.toEqual(
      breaks('redirect_uris', 'superset_of', 'invalid_redirect_uri'),
    );
  });

  it('applies to defaults as to requested values', async () => {
    const { register } = await under({ any: { application_type: { one_of: ['native'] } } });
    await expect(register({})).rejects.toEqual(breaks('application_type', 'one_of'));
  });

  it('compares response types whatever the order of their words', async () => {
    const { register } = await under({ any: { response_types: { subset_of: ['token id_token', 'code'] } } });
    const { information } = await register({
      grant_types: ['implicit'],
      response_types: ['token id_token', 'id_token'],
    });
    expect(information['response_types']).toEqual(['id_token token']);
  });

  it.each(['client_name#de', 'client_name#DE', 'client_name#de-AT'])(
    'applies to %s as to the member itself',
    async (variant) => {
      const listed = await under({ any: { client_name: { one_of: ['Shop', 'Laden'] } } });
      const shown = { client_name: 'Shop', [variant]: 'Laden' };
      expect((await listed.register(shown)).information).toMatchObject(shown);
      await expect(listed.register({ client_name: 'Shop', [variant]: 'Bank' })).rejects.toEqual(
        breaks('client_name', 'one_of'),
      );
      const set = await under({ any: { client_name: { value: 'Shop' } } });
      expect((await set.register({ client_name: 'X', [variant]: 'Bank' })).information).not.toHaveProperty(
        variant,
      );
      const removed = await under({ any: { client_name: { value: null } } });
      expect((await removed.register({ [variant]: 'Bank' })).information).not.toHaveProperty(variant);
      const needed = await under({ any: { client_name: { essential: true } } });
      await expect(needed.register({ [variant]: 'Shop' })).rejects.toEqual(
        breaks('client_name', 'essential'),
      );
    },
  );

  it('never treats another spelling of a member name as the member', async () => {
    const { register } = await under({ any: { client_name: { essential: true } } });
    await expect(register({ Client_Name: 'Shop', CLIENT_NAME: 'Shop' })).rejects.toEqual(
      breaks('client_name', 'essential'),
    );
  });

  it('requires an essential scope to have a value', async () => {
    const { register } = await under({
      any: { scope: { default: 'b', subset_of: ['a'], essential: true } },
    });
    await expect(register({}, MASTER)).rejects.toEqual(breaks('scope', 'essential'));
    expect((await register({ scope: 'a b' }, MASTER)).information['scope']).toBe('a');
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['a list', { contacts: { essential: true } }, { contacts: [] }],
    [
      'a list that it has emptied',
      { contacts: { subset_of: ['ops@example.org'], essential: true } },
      { contacts: ['me@example.org'] },
    ],
    ['a text', { client_name: { essential: true } }, { client_name: ' ' }],
    ['a key set', { jwks: { essential: true } }, { jwks: { keys: [] } }],
    ['a scope', { scope: { essential: true } }, { scope: '' }],
  ])('treats an empty %s as missing if it is essential', async (_, any, body) => {
    const [member = ''] = Object.keys(any);
    const { register } = await under({ any });
    await expect(register(body)).rejects.toEqual(breaks(member, 'essential'));
    await expect(register({})).rejects.toEqual(breaks(member, 'essential'));
  });

  it('does not apply to federation entities, which have the policies of their superiors', () => {
    const sections = ['any', 'anonymous', 'initial_access_token', 'master_token'];
    const strict = Object.fromEntries(sections.map((name) => [name, { client_name: { one_of: ['Shop'] } }]));
    const policy = declaredPolicy(parseDeclaredPolicies(strict));
    const metadata = { ...REDIRECT, client_name: 'Bank' };
    expect(policy.evaluate({ authority: 'federation', metadata })).toEqual(metadata);
    expect(policy.defaults?.({ authority: 'federation' })).toEqual({});
    expect(() => policy.evaluate({ authority: 'operator', metadata })).toThrow(DomainError);
  });

  it('can never exceed the granted scopes', async () => {
    const { register } = await under({ any: { scope: { value: 'admin' } } });
    await expect(register({})).rejects.toEqual(failure('missing_token'));
    expect((await register({}, MASTER)).information['scope']).toBe('admin');
  });
});

describe('the default of a declared policy', () => {
  it('replaces the built-in default, and is applied before the other operators', async () => {
    const { register } = await under({
      any: {
        id_token_signed_response_alg: { one_of: ['ES256', 'PS256'], default: 'ES256' },
        require_pushed_authorization_requests: { default: true },
        response_types: { default: ['token id_token'] },
        grant_types: { default: ['implicit', 'refresh_token'], subset_of: ['implicit'] },
        backchannel_logout_session_required: { default: true },
      },
    });
    const expected = {
      id_token_signed_response_alg: 'ES256',
      require_pushed_authorization_requests: true,
      response_types: ['id_token token'],
      grant_types: ['implicit'],
    };
    for (const body of [{}, { id_token_signed_response_alg: null, grant_types: null }]) {
      const { information } = await register(body, MASTER);
      expect(information).toMatchObject(expected);
      expect(information).not.toHaveProperty('backchannel_logout_session_required');
    }
    const uri = 'https://app.example.org/logout';
    const { information } = await register({ backchannel_logout_uri: uri }, MASTER);
    expect(information['backchannel_logout_session_required']).toBe(true);
  });

  it('determines the defaults of other members', async () => {
    const { register } = await under({ any: { grant_types: { default: ['client_credentials'] } } });
    const { information } = await register({}, MASTER);
    expect(information).toMatchObject({ grant_types: ['client_credentials'], response_types: [] });
  });

  it('applies only to missing members, in the section of the registrant', async () => {
    const { register } = await under({
      anonymous: { require_auth_time: { default: true }, application_type: { default: 'native' } },
    });
    const { information } = await register({ require_auth_time: false });
    expect(information).toMatchObject({ require_auth_time: false, application_type: 'native' });
    expect((await register({}, MASTER)).information['application_type']).toBe('web');
  });

  it('is not used after add if the member has no built-in default, as the specification orders the operators', async () => {
    const { register } = await under({
      any: { contacts: { add: ['a@a.example'], default: ['b@b.example'] } },
    });
    expect((await register({})).information['contacts']).toEqual(['a@a.example']);
  });

  it('is used by an update that leaves the member out, and by a patch that sets it to null', async () => {
    const { deps, register, update } = await under({ any: { require_auth_time: { default: true } } });
    const client = await register({ require_auth_time: false }, MASTER);
    const id = client.information.client_id;
    const patch = async (body: JsonObject) =>
      (await updateClient(deps, { id, token: MASTER, body, isPatch: true })).information['require_auth_time'];
    expect(await patch({ client_name: 'Shop' })).toBe(false);
    expect(await patch({ require_auth_time: null })).toBe(true);
    expect(await patch({ require_auth_time: false })).toBe(false);
    expect((await update(client, {}, MASTER)).information['require_auth_time']).toBe(true);
  });
});

describe('the update of a client under a declared policy', () => {
  const POLICIES = {
    anonymous: { client_name: { one_of: ['Anonymous'] } },
    initial_access_token: { client_name: { one_of: ['Invited', 'Both'] } },
    master_token: { client_name: { one_of: ['Ours', 'Both', 'Anonymous', 'Invited'] } },
  };

  it.each([
    ['without a token', undefined, 'Anonymous', ['Invited', 'Ours', 'Both']],
    ['with few granted scopes', 'client-reg:grant:code', 'Invited', ['Anonymous', 'Ours']],
    ['with all granted scopes', 'client-reg', 'Invited', ['Anonymous', 'Ours']],
  ])('is checked as a registration %s would be', async (_, scope, permitted, refused) => {
    const { register, update, issue } = await under(POLICIES);
    const token = scope && (await issue(scope));
    const client = await register({ client_name: permitted }, token);
    for (const client_name of refused)
      await expect(update(client, { client_name }), client_name).rejects.toEqual(
        breaks('client_name', 'one_of'),
      );
    expect((await update(client, { client_name: permitted })).information['client_name']).toBe(permitted);
  });

  it('is checked by the policy for the master token if it registered the client', async () => {
    const { register, update } = await under(POLICIES);
    const client = await register({ client_name: 'Ours' }, MASTER);
    await expect(update(client, { client_name: 'Other' })).rejects.toEqual(breaks('client_name', 'one_of'));
    expect((await update(client, { client_name: 'Anonymous' })).information['client_name']).toBe('Anonymous');
  });

  it('is checked by the policies for both tokens if either may have registered the client', async () => {
    const { change, register, update, issue } = await under(POLICIES);
    const client = await register({ client_name: 'Invited' }, await issue('client-reg'));
    // As earlier versions stored it.
    await change(client.information.client_id, ({ registrar: _registrar, ...stored }) => stored);
    for (const client_name of ['Ours', 'Anonymous'])
      await expect(update(client, { client_name })).rejects.toEqual(breaks('client_name', 'one_of'));
    expect((await update(client, { client_name: 'Both' })).information['client_name']).toBe('Both');
  });

  it('is checked by the policy for the master token if it updates the client', async () => {
    const { register, update } = await under(POLICIES);
    const client = await register({ client_name: 'Anonymous' });
    const updated = await update(client, { client_name: 'Ours' }, MASTER);
    expect(updated.information['client_name']).toBe('Ours');
    await expect(update(client, { client_name: 'Ours' })).rejects.toEqual(breaks('client_name', 'one_of'));
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['subject_type', { value: 'pairwise' }, {}],
    ['subject_type', { default: 'pairwise' }, {}],
    ['sector_identifier_uri', { value: SECTOR }, { subject_type: 'pairwise' }],
    ['sector_identifier_uri', { default: SECTOR }, { subject_type: 'pairwise' }],
  ])('moves it to another sector by %s %j only for the master token', async (member, operators, body) => {
    const { deps, register, update } = await under({});
    const client = await register(body, MASTER);
    const sectorIdentifiers = { read: async () => REDIRECT.redirect_uris };
    const policy = declaredPolicy(parseDeclaredPolicies({ any: { [member]: operators } }));
    Object.assign(deps, { sectorIdentifiers, policy });
    await expect(update(client, body)).rejects.toMatchObject({ code: 'insufficient_scope' });
    const moved = await update(client, body, MASTER);
    expect((await update(moved, body)).information).toMatchObject({ [member]: Object.values(operators)[0] });
  });
});

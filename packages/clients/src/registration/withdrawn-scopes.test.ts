import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { operatorActor } from '../audit-actor.js';
import { changeClient } from '../management/change-client.js';
import { updateClient } from '../management/update-client.js';
import { MASTER, type RegistrationFixture, registrationFixture } from '../testing/registration-fixture.js';

const PLAIN = {
  redirect_uris: ['https://app.example.org/cb'],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'client_secret_basic',
};
const GRANT = { grant_types: ['authorization_code', 'client_credentials'] };
const SCOPE = { scope: 'read https://as.example.org/token/introspect' };
const DATA = { data: { tier: 'gold' } };
const EVERYTHING = { ...PLAIN, ...GRANT, ...SCOPE, ...DATA };

type Update = (fixture: RegistrationFixture, id: string, registration: JsonObject) => Promise<unknown>;

/** The operations that the granted scopes of a client do not limit. */
const SUPERIORS: Readonly<Record<string, Update>> = {
  'an update with the master token': ({ deps }, id, registration) =>
    updateClient(deps, { id, token: MASTER, body: { ...registration, client_id: id } }),
  'a patch with the master token': ({ deps }, id, registration) => {
    const body = { grant_types: null, scope: null, data: null, ...registration };
    return updateClient(deps, { id, token: MASTER, isPatch: true, body });
  },
  'a change by an operator': ({ deps }, id, registration) =>
    changeClient(deps, { id, operator: operatorActor('alice'), change: () => registration }),
};

async function registered(scope: string, body: JsonObject = {}) {
  // The same registration token throughout: a rotated one could only read after an update by the operator.
  const fixture = await registrationFixture({ rotateRegistrationTokenOnUpdate: false });
  const { information } = await fixture.register({ ...PLAIN, ...body }, await fixture.issue(scope));
  const id = information.client_id;
  const tokens = { present: String(information['registration_access_token']) };
  /** Changes the registration as the client; returns the outcome. */
  const patch = (body: JsonObject, deps = fixture.deps): Promise<string> =>
    updateClient(deps, { id, token: tokens.present, isPatch: true, body }).then(
      (response) => {
        tokens.present = String(response.information['registration_access_token']);
        return 'accepted';
      },
      (error) => error.code,
    );
  return { ...fixture, fixture, id, patch };
}

const superiors = Object.entries(SUPERIORS);

describe('a value that is removed from a registration', () => {
  it.each(superiors)('by %s is no longer granted to the client, however it is removed', async (_, update) => {
    const own = 'client-reg:grant:code client-reg:grant:client client-reg:scope:read client-reg:data';
    // Granted by the master token, and by an initial access token.
    for (const [scope, first] of [
      ['client-reg:grant:code', {}],
      [own, { ...GRANT, scope: 'read', ...DATA }],
    ] as const) {
      const { fixture, find, id, patch } = await registered(scope, first);
      await update(fixture, id, EVERYTHING);
      expect(await patch({ client_name: 'Kept' })).toBe('accepted');
      await update(fixture, id, PLAIN);
      for (const back of [GRANT, { scope: 'read' }, SCOPE, DATA])
        expect(await patch(back), JSON.stringify(back)).toBe('insufficient_scope');
      expect(await patch({ client_name: 'Own' })).toBe('accepted');
      expect((await find(id))?.metadata).not.toHaveProperty('scope');
    }
  });

  it('is refused in an update of the client that is under way', async () => {
    const { deps, fixture, find, id, patch } = await registered('client-reg:grant:code');
    await SUPERIORS['an update with the master token']?.(fixture, id, EVERYTHING);
    let isFirst = true;
    const clients: typeof deps.clients = {
      ...deps.clients,
      replace: async (replacement) => {
        if (isFirst) {
          isFirst = false;
          await updateClient(deps, { id, token: MASTER, body: { ...PLAIN, client_id: id } });
        }
        return deps.clients.replace(replacement);
      },
    };
    // Without data, which a client may never change.
    expect(await patch({ ...GRANT, ...SCOPE, client_name: 'Late' }, { ...deps, clients })).toBe(
      'insufficient_scope',
    );
    expect((await find(id))?.metadata).toMatchObject({ grant_types: PLAIN.grant_types });
  });

  it('can be granted again', async () => {
    const { fixture, id, patch } = await registered('client-reg:grant:code');
    for (const registration of [EVERYTHING, PLAIN, { ...PLAIN, ...SCOPE }])
      await updateClient(fixture.deps, { id, token: MASTER, body: { ...registration, client_id: id } });
    expect(await patch({ client_name: 'Kept', scope: 'read' })).toBe('accepted');
    expect(await patch(SCOPE)).toBe('accepted');
    for (const back of [GRANT, DATA]) expect(await patch(back)).toBe('insufficient_scope');
  });
});

describe('an update with the master token leaves a client', () => {
  const updated = async (scope: string, before: JsonObject, after: JsonObject) => {
    const client = await registered(scope, before);
    const body = { ...PLAIN, ...after, client_id: client.id };
    await updateClient(client.deps, { id: client.id, token: MASTER, body });
    return client;
  };

  it('the granted scopes that its registration does not use', async () => {
    const scope = 'client-reg:grant:code client-reg:grant:client client-reg:scope:read client-reg:data';
    const { patch } = await updated(scope, {}, { client_name: 'Other' });
    expect(await patch({ ...GRANT, ...DATA, scope: 'read' })).toBe('accepted');
  });

  it('those that the new registration uses like the previous one', async () => {
    const scope =
      'client-reg:grant:code client-reg:grant:client client-reg:scope:read client-reg:scope:write';
    const before = { ...GRANT, scope: 'read write' };
    const { patch } = await updated(scope, before, { ...GRANT, scope: 'write' });
    expect(await patch({ ...PLAIN, scope: null })).toBe('accepted');
    expect(await patch({ ...GRANT, scope: 'write' })).toBe('accepted');
    expect(await patch({ scope: 'read' })).toBe('insufficient_scope');
  });

  it('unlimited ones, from which no single value can be removed', async () => {
    const all = await updated('client-reg', EVERYTHING, {});
    expect(await all.patch(EVERYTHING)).toBe('accepted');
    const anyScope = 'client-reg:grant:code client-reg:scope client-reg:data';
    const some = await updated(anyScope, { ...SCOPE, ...DATA }, {});
    expect(await some.patch(SCOPE)).toBe('accepted');
    expect(await some.patch(DATA)).toBe('insufficient_scope');
  });
});

import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { type GrantedScopes, OPEN_SCOPES } from '@vestibule/scopes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RegistrationSettings } from '../registration/registration-settings.js';
import { registrationFixture } from '../testing/registration-fixture.js';
import {
  acceptAutomaticMetadata,
  registerAutomaticClient,
  renewAutomaticClient,
} from './register-automatic-client.js';
import { registerFederatedClient } from './register-federated-client.js';

const ENTITY = 'https://rp.example.org';
const KEYS = {
  keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'rp' }],
};
const METADATA = { redirect_uris: ['https://rp.example.org/cb'] };

interface RegistrationChanges {
  readonly age?: number;
  readonly lifetime?: number;
  readonly isAddressed?: boolean;
  readonly grantedScopes?: GrantedScopes;
}

async function aFederation(settings: Partial<RegistrationSettings> = {}) {
  const fixture = await registrationFixture(settings);
  const { deps, clock } = fixture;
  const now = nowSeconds(clock);
  const registration = (
    metadata: JsonObject,
    { age = 0, lifetime = 3_600, isAddressed = true, grantedScopes = OPEN_SCOPES }: RegistrationChanges = {},
  ) => ({
    metadata,
    grantedScopes,
    expiresAt: epochSeconds(nowSeconds(clock) + lifetime),
    membership: {
      entityId: ENTITY,
      trustAnchor: 'https://anchor.example.org',
      superior: 'https://superior.example.org',
      chainExpiresAt: epochSeconds(nowSeconds(clock) + lifetime),
      statementIssuedAt: epochSeconds(nowSeconds(clock) - age),
      isAddressed,
    },
    mayHaveSecret: true,
  });
  const register = (metadata: JsonObject = METADATA, options: RegistrationChanges = {}) =>
    registerFederatedClient(deps, registration(metadata, options));
  const registerAutomatically = async () => {
    const requested = registration({ ...METADATA, jwks: KEYS });
    const metadata = await acceptAutomaticMetadata(deps, requested);
    return registerAutomaticClient(deps, { ...requested, metadata });
  };
  return { ...fixture, now, register, registerAutomatically };
}

describe('the registration of a federated client', () => {
  it('follows the rules and format of every other one, expires, and cannot be managed', async () => {
    const { now, register, find } = await aFederation();
    const information = await register({ ...METADATA, client_name: 'Member', unknown: 1 });
    expect(information).toMatchObject({
      client_id: expect.stringMatching(/^[A-Za-z0-9]{22}$/),
      client_id_issued_at: now,
      client_secret: expect.stringMatching(/^[A-Za-z0-9]{43}$/),
      client_secret_expires_at: 0,
      client_name: 'Member',
      grant_types: ['authorization_code'],
    });
    for (const member of ['registration_client_uri', 'registration_access_token', 'unknown'])
      expect(information).not.toHaveProperty(member);
    const stored = await find(information.client_id);
    expect(stored).toMatchObject({
      origin: 'federation_explicit',
      status: 'active',
      grantedScopes: OPEN_SCOPES,
      expiresAt: now + 3_600,
      federation: { entityId: ENTITY, superior: 'https://superior.example.org' },
    });
    expect(stored).not.toHaveProperty('registrationToken');
    expect(JSON.stringify(stored)).not.toContain(information['client_secret']);
  });

  it('issues no secret to clients that need none', async () => {
    const { register } = await aFederation();
    const keys = { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://rp.example.org/jwks' };
    expect(await register({ ...METADATA, ...keys })).not.toHaveProperty('client_secret');
  });

  it('is refused by the metadata rules, and beyond the scopes of federated clients', async () => {
    const { register, all } = await aFederation();
    for (const [change, code, description] of [
      [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri', /./],
      [{ redirect_uris: [] }, 'invalid_redirect_uri', /./],
      [{ grant_types: ['client_credentials'] }, 'invalid_client_metadata', /grant types/],
      [{ id_token_signed_response_alg: 'none' }, 'invalid_client_metadata', /id_token_signed_response_alg/],
      [{ sector_identifier_uri: 'https://rp.example.org/s' }, 'invalid_client_metadata', /sector_identifier/],
    ] as const)
      await expect(register({ ...METADATA, ...change })).rejects.toMatchObject({
        code,
        description: expect.stringMatching(description),
      });
    expect(await all()).toEqual([]);
  });

  it('leaves out scope values beyond its granted scopes, and reports them', async () => {
    const { register, find } = await aFederation();
    const grantedScopes = { ...OPEN_SCOPES, scopeValues: new Set(['openid', 'read']) };
    const information = await register({ ...METADATA, scope: 'admin openid write read' }, { grantedScopes });
    expect(information).toMatchObject({ scope: 'openid read' });
    expect(await find(information.client_id)).toMatchObject({ metadata: { scope: 'openid read' } });
  });

  it('has no scope if no value is granted, and is refused if the client could do nothing then', async () => {
    const { register, all } = await aFederation();
    const machine = {
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
      scope: 'admin',
    };
    await expect(
      register(machine, { grantedScopes: { ...OPEN_SCOPES, grantTypes: new Set(['client_credentials']) } }),
    ).rejects.toMatchObject({
      code: 'invalid_client_metadata',
      description: expect.stringMatching(/^scope: /),
    });
    expect(await all()).toEqual([]);
    expect(await register({ ...METADATA, scope: 'admin' })).not.toHaveProperty('scope');
  });

  it('replaces the previous one, under the same identifier and with another secret', async () => {
    const { register, find, all, clock } = await aFederation();
    const first = await register({ ...METADATA, client_name: 'Before' });
    clock.advanceSeconds(60);
    const second = await register({ ...METADATA, client_name: 'After' });
    expect(second.client_id).toBe(first.client_id);
    expect(second['client_id_issued_at']).toBe(first['client_id_issued_at']);
    expect(second['client_secret']).not.toBe(first['client_secret']);
    expect(await all()).toHaveLength(1);
    expect(await find(second.client_id)).toMatchObject({
      metadata: { client_name: 'After' },
      version: 2,
      expiresAt: nowSeconds(clock) + 3_600,
    });
  });

  // Its tokens remain valid, and would reveal the pairwise subjects of another sector.
  it('keeps a client with pairwise subjects in its sector until it has expired', async () => {
    const { register, find, deps, clock } = await aFederation();
    const { client_id: id } = await register({ ...METADATA, subject_type: 'pairwise' });
    const moved = { redirect_uris: ['https://victim.example.org/cb'], subject_type: 'pairwise' };
    clock.advanceSeconds(60);
    await expect(register(moved)).rejects.toMatchObject({ code: 'invalid_client_metadata' });
    const before = await find(id);
    if (before === undefined) throw new Error('the client is gone');
    const metadata = { ...before.metadata, redirect_uris: moved.redirect_uris };
    const { grantedScopes, federation: membership, expiresAt } = before;
    if (membership === undefined || expiresAt === undefined) throw new Error('the client is not federated');
    await expect(
      renewAutomaticClient(deps, before, { metadata, grantedScopes, membership, expiresAt }),
    ).rejects.toMatchObject({ code: 'invalid_client_metadata' });
    expect(await find(id)).toEqual(before);
    clock.advanceSeconds(3_600);
    expect((await register(moved)).client_id).not.toBe(id);
  });

  it('is not replaced by an older statement, nor by the same one', async () => {
    const { register } = await aFederation();
    await register(METADATA, { age: 10 });
    for (const age of [11, 10])
      await expect(register(METADATA, { age })).rejects.toMatchObject({ code: 'unauthorized_client' });
    await register(METADATA, { age: 9 });
  });

  it('is not replaced by a statement without aud if the entity has sent one to this provider', async () => {
    const { register, registerAutomatically, all, deps, clock } = await aFederation();
    for (const registerFirst of [() => register(), () => registerAutomatically()]) {
      await registerFirst();
      const [before] = await all();
      clock.advanceSeconds(10);
      await expect(register(METADATA, { isAddressed: false })).rejects.toMatchObject({
        code: 'unauthorized_client',
      });
      expect(await all()).toEqual([before]);
      if (before) await deps.clients.delete(before.id, nowSeconds(clock));
    }
  });

  it('replaces one by a statement without aud, and is a new client', async () => {
    const { register, registerAutomatically, all } = await aFederation();
    const unaddressed = await register(METADATA, { isAddressed: false });
    const addressed = await register(METADATA, { age: 100 });
    expect(addressed.client_id).not.toBe(unaddressed.client_id);
    expect(await all()).toMatchObject([{ id: addressed.client_id, version: 1 }]);
    await expect(registerAutomatically()).rejects.toMatchObject({ code: 'unauthorized_client' });
  });

  it('by a statement without aud is replaced by an automatic registration', async () => {
    const { register, registerAutomatically, all, clock } = await aFederation();
    await register(METADATA, { isAddressed: false });
    await registerAutomatically();
    expect(await all()).toMatchObject([{ id: ENTITY, origin: 'federation_automatic' }]);
    clock.advanceSeconds(10);
    expect((await register()).client_id).toBe(ENTITY);
  });

  it('is refused for entities that do not list this type of registration', async () => {
    const { register, registerAutomatically, all } = await aFederation();
    await expect(register({ ...METADATA, client_registration_types: ['automatic'] })).rejects.toMatchObject({
      code: 'invalid_client_metadata',
      description: 'client_registration_types: the entity does not list "explicit"',
    });
    expect(await all()).toEqual([]);
    await registerAutomatically();
  });

  it('takes a method without a secret from a list, and leaves open what the entity signs if no response tells it', async () => {
    const { deps } = await aFederation();
    const accept = (metadata: JsonObject) =>
      acceptAutomaticMetadata(deps, {
        metadata: { ...METADATA, jwks: KEYS, ...metadata },
        grantedScopes: OPEN_SCOPES,
      });
    const lists = {
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['EdDSA', 'ES256'],
      request_object_signing_alg_values_supported: ['EdDSA', 'ES256'],
      id_token_signing_alg_values_supported: ['XX256', 'ES256'],
    };
    for (const stated of [
      {},
      { token_endpoint_auth_method: 'client_secret_basic' },
      { request_object_signing_alg: 'EdDSA' },
    ]) {
      const metadata = await accept({ ...lists, ...stated });
      expect(metadata).toMatchObject({
        token_endpoint_auth_method: 'private_key_jwt',
        id_token_signed_response_alg: 'ES256',
      });
      expect(metadata).not.toHaveProperty('request_object_signing_alg');
      expect(metadata).not.toHaveProperty('token_endpoint_auth_signing_alg');
    }
    await expect(
      accept({ token_endpoint_auth_methods_supported: ['client_secret_basic'] }),
    ).rejects.toMatchObject({
      code: 'invalid_client_metadata',
    });
  });

  it('starts again once the previous one has expired', async () => {
    const { register, all, clock } = await aFederation();
    const first = await register();
    clock.advanceSeconds(3_600);
    const second = await register(METADATA, { age: 3_700 });
    expect(second.client_id).not.toBe(first.client_id);
    expect(await all()).toMatchObject([{ id: second.client_id, version: 1 }]);
  });

  it('never outlives its secret, whatever the lifetimes', async () => {
    const lifetimes = fc.integer({ min: 1, max: 10_000 });
    await fc.assert(
      fc.asyncProperty(lifetimes, lifetimes, async (clientSecretLifetimeSeconds, lifetime) => {
        const { register, now } = await aFederation({ clientSecretLifetimeSeconds });
        const { client_secret_expires_at: end } = await register(METADATA, { lifetime });
        expect(end).toBe(now + Math.max(lifetime, clientSecretLifetimeSeconds));
      }),
      { numRuns: 20 },
    );
  });

  it('leaves exactly one of any number of parallel ones, with only the last secret', async () => {
    const { register, all, deps } = await aFederation();
    const ages = Array.from({ length: 20 }, (_, place) => place % 10);
    const responses = await Promise.allSettled(ages.map((age) => register(METADATA, { age })));
    const [client, ...others] = await all();
    expect(others).toEqual([]);
    const secrets = responses.flatMap((response) =>
      response.status === 'fulfilled' ? [String(response.value['client_secret'])] : [],
    );
    const works = (secret: string) =>
      client?.secret && deps.digester.matches('client-secret', secret, client.secret.digest);
    expect(secrets.filter(works)).toHaveLength(1);
  });
});

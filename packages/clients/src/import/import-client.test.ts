import { defaultSupportedMetadata } from '@vestibule/metadata';
import { describe, expect, it } from 'vitest';
import type { ClientReplacement } from '../client-repository.js';
import { storeSecret } from '../registration/provision-credentials.js';
import { importAfterDryRun, operator, SECRET } from '../testing/imported-client.js';
import { registrationFixture } from '../testing/registration-fixture.js';
import type { ExportedSecret, ReadableClient } from './exported-client.js';
import { importClient, importDryRun } from './import-client.js';

const CLIENT: ReadableClient = {
  kind: 'client',
  id: 'old-client',
  metadata: { redirect_uris: ['https://app.example.org/cb'], client_name: 'App' },
  secret: { kind: 'given', value: SECRET },
  warnings: [],
};

describe('an imported client', () => {
  it('keeps identifier and secret, and is marked as an import', async () => {
    const fixture = await registrationFixture();
    const outcome = { outcome: 'created', secret: 'kept', warnings: [] };
    expect(await importAfterDryRun(fixture, CLIENT)).toEqual(outcome);
    const client = await fixture.find('old-client');
    expect(client).toMatchObject({ origin: 'import', status: 'active' });
    expect(client?.secret?.digest).toEqual(fixture.deps.digester.digest('client-secret', SECRET));
  });

  it('loses extension grant types that cannot be registered here, and keeps the others', async () => {
    const device = 'urn:ietf:params:oauth:grant-type:device_code';
    const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
    const fixture = await registrationFixture();
    const grantTypes = ['authorization_code', exchange, device];
    const client = { ...CLIENT, metadata: { ...CLIENT.metadata, grant_types: grantTypes } };
    const supported = defaultSupportedMetadata({ grantTypes: ['authorization_code', exchange] });
    const result = await importAfterDryRun({ ...fixture, deps: { ...fixture.deps, supported } }, client);
    const warnings = ['Grant types that are not listed in REGISTRABLE_GRANT_TYPES are left out.'];
    expect(result).toEqual({ outcome: 'created', secret: 'kept', warnings });
    const { metadata } = (await fixture.find('old-client')) ?? {};
    expect(metadata?.grant_types).toEqual(['authorization_code', exchange]);
  });

  it('stays unchanged if it is imported again', async () => {
    const fixture = await registrationFixture();
    await importAfterDryRun(fixture, CLIENT);
    const before = await fixture.find('old-client');
    const changed = { ...CLIENT, metadata: { ...CLIENT.metadata, client_name: 'Other' } };
    expect(await importAfterDryRun(fixture, changed)).toEqual({ outcome: 'exists' });
    const lost: ReadableClient = { ...CLIENT, secret: { kind: 'lost', reason: 'Gone.' } };
    expect(await importAfterDryRun(fixture, lost)).toEqual({ outcome: 'exists' });
    expect(await fixture.find('old-client')).toEqual(before);
  });

  it('is updated with new metadata and keeps its credentials if that is requested', async () => {
    const fixture = await registrationFixture();
    await importAfterDryRun(fixture, CLIENT);
    const before = await fixture.find('old-client');
    const changed: ReadableClient = {
      ...CLIENT,
      metadata: { ...CLIENT.metadata, client_name: 'Other' },
      secret: { kind: 'given', value: 'another-secret-of-the-old-server-012345' },
    };
    expect(await importAfterDryRun(fixture, changed, { replacesExisting: true })).toEqual({
      outcome: 'updated',
      secret: 'kept',
      warnings: ['The export has another secret; the existing one stays.'],
    });
    const after = await fixture.find('old-client');
    expect(after?.metadata['client_name']).toBe('Other');
    expect(after?.secret).toEqual(before?.secret);
    expect(after?.registrationToken).toEqual(before?.registrationToken);
  });

  // Otherwise the operator would learn of a change only from clients that can no longer authenticate.
  describe('that exists and is updated with new metadata', () => {
    const PUBLIC: ReadableClient = {
      ...CLIENT,
      metadata: { ...CLIENT.metadata, token_endpoint_auth_method: 'none', data: { tier: 'gold' } },
    };
    const update = { replacesExisting: true };

    it('uses the secret of the export if it has none and needs one, and keeps its data', async () => {
      const fixture = await registrationFixture();
      await importAfterDryRun(fixture, PUBLIC);
      expect(await importAfterDryRun(fixture, CLIENT, update)).toEqual({
        outcome: 'updated',
        secret: 'kept',
        warnings: ['It gets the secret of the export.'],
      });
      const client = await fixture.find('old-client');
      expect(client).toMatchObject({ version: 2, data: { tier: 'gold' } });
      expect(client?.metadata.token_endpoint_auth_method).toBe('client_secret_basic');
      expect(client?.secret?.digest).toEqual(fixture.deps.digester.digest('client-secret', SECRET));
      const other = { ...CLIENT, metadata: { ...CLIENT.metadata, data: { tier: 'silver' } } };
      expect(await importAfterDryRun(fixture, other, update)).toEqual({
        outcome: 'updated',
        secret: 'kept',
        warnings: [],
      });
      expect(await fixture.find('old-client')).toMatchObject({ data: { tier: 'silver' } });
    });

    it('gets a new secret only on request if neither has one', async () => {
      const fixture = await registrationFixture();
      await importAfterDryRun(fixture, PUBLIC);
      const before = await fixture.find('old-client');
      const without: ReadableClient = { ...CLIENT, secret: { kind: 'none' } };
      const reason = 'The export has no secret.';
      expect(await importAfterDryRun(fixture, without, update)).toEqual({ outcome: 'secret_lost', reason });
      expect(await fixture.find('old-client')).toEqual(before);
      const outcome = await importAfterDryRun(fixture, without, { ...update, issuesNewSecrets: true });
      expect(outcome).toEqual({
        outcome: 'updated',
        secret: 'new',
        newSecret: expect.stringMatching(/^\w{43}$/),
        warnings: [],
      });
    });

    it('gets a new secret only on request if its own can no longer be used', async () => {
      const fixture = await registrationFixture({ clientSecretLifetimeSeconds: 100 });
      await importAfterDryRun(fixture, CLIENT);
      const reason = 'The existing secret has expired, or is too short for its HMAC algorithms.';
      const metadata = { ...CLIENT.metadata, id_token_signed_response_alg: 'HS512' };
      expect(await importAfterDryRun(fixture, { ...CLIENT, metadata }, update)).toEqual({
        outcome: 'secret_lost',
        reason,
      });
      fixture.clock.advanceSeconds(100);
      expect(await importAfterDryRun(fixture, CLIENT, update)).toEqual({ outcome: 'secret_lost', reason });
      expect(await fixture.find('old-client')).toMatchObject({ version: 1 });
      const outcome = await importAfterDryRun(fixture, CLIENT, { ...update, issuesNewSecrets: true });
      const { secret } = (await fixture.find('old-client')) ?? {};
      const newSecret = 'newSecret' in outcome ? String(outcome.newSecret) : '';
      expect(secret?.digest).toEqual(fixture.deps.digester.digest('client-secret', newSecret));
    });

    it('loses a secret that it no longer uses, which is reported', async () => {
      const fixture = await registrationFixture();
      await importAfterDryRun(fixture, CLIENT);
      const { data: _, ...metadata } = PUBLIC.metadata;
      expect(
        await importAfterDryRun(fixture, { ...PUBLIC, metadata, secret: { kind: 'none' } }, update),
      ).toEqual({
        outcome: 'updated',
        secret: 'none',
        warnings: ['Its secret is deleted: the client no longer uses one.'],
      });
      expect((await fixture.find('old-client'))?.secret).toBeUndefined();
    });

    it('is checked again if it was changed in the meantime', async () => {
      const fixture = await registrationFixture();
      await importAfterDryRun(fixture, PUBLIC);
      const { deps, change } = fixture;
      const present = await fixture.find('old-client');
      if (present === undefined) throw new Error('no such client');
      const ownSecret = await storeSecret(deps, present, 'own'.repeat(11));
      let isFirst = true;
      const clients = {
        ...deps.clients,
        replace: async (replacement: ClientReplacement) => {
          if (isFirst) {
            isFirst = false;
            await change('old-client', (client) => ({ ...client, secret: ownSecret.stored }));
          }
          return deps.clients.replace(replacement);
        },
      };
      const input = { client: CLIENT, operator, issuesNewSecrets: false, replacesExisting: true };
      expect(await importClient({ ...deps, clients }, input)).toEqual({
        outcome: 'updated',
        secret: 'kept',
        warnings: ['The export has another secret; the existing one stays.'],
      });
      expect((await fixture.find('old-client'))?.secret?.digest).toEqual(ownSecret.stored.digest);
    });
  });

  const unkept: readonly [string, ExportedSecret, string][] = [
    ['a digest', { kind: 'lost', reason: 'Hydra keeps only a digest.' }, 'Hydra keeps only a digest.'],
    [
      'a secret of other characters',
      { kind: 'given', value: 'geheim\u00fc' },
      'The secret must have 1 to 256 printable ASCII characters.',
    ],
    [
      'a secret that is too long',
      { kind: 'given', value: 'x'.repeat(257) },
      'The secret must have 1 to 256 printable ASCII characters.',
    ],
    [
      'a hash that takes too long',
      {
        kind: 'hashed',
        value: '$2b$15$VMhI7ZihcyUX/0/I5nZBpe.JbUtf9PQfU1t5/YudeSFmxEfSyZPJ6',
        member: 'client_secret_hash',
      },
      'The member client_secret_hash has bcrypt cost 15; it must be 4 to 14.',
    ],
    [
      'a hash of another kind',
      { kind: 'hashed', value: '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA', member: 'client_secret' },
      expect.stringMatching(/^The member client_secret must be a hash of bcrypt .* or of PBKDF2/),
    ],
    ['no secret', { kind: 'none' }, 'The export has no secret.'],
  ];
  it.each(unkept)(
    'with %s is not imported, or gets a new secret on request',
    async (_what, secret, reason) => {
      const fixture = await registrationFixture();
      expect(await importAfterDryRun(fixture, { ...CLIENT, secret })).toEqual({
        outcome: 'secret_lost',
        reason,
      });
      expect(await fixture.all()).toEqual([]);
      const outcome = await importAfterDryRun(fixture, { ...CLIENT, secret }, { issuesNewSecrets: true });
      expect(outcome).toMatchObject({ secret: 'new', newSecret: expect.stringMatching(/^\w{43}$/) });
    },
  );

  it('keeps no secret that is too short for its algorithms', async () => {
    const fixture = await registrationFixture();
    const metadata = { ...CLIENT.metadata, id_token_signed_response_alg: 'HS512' };
    const reason =
      'The secret has 40 characters; HS512 (id_token_signed_response_alg) needs 64 (RFC 7518 section 3.2).';
    expect(await importAfterDryRun(fixture, { ...CLIENT, metadata })).toEqual({
      outcome: 'secret_lost',
      reason,
    });
  });

  it.each(['x', 'short', '0123456789abcdef', 'with space "quoted" \\ and : colon'])(
    'keeps a secret of any length, and reports that it is weak: %s',
    async (value) => {
      const fixture = await registrationFixture();
      const outcome = await importAfterDryRun(fixture, { ...CLIENT, secret: { kind: 'given', value } });
      const isWeak = value.length < 20;
      expect(outcome).toEqual({
        outcome: 'created',
        secret: 'kept',
        ...(isWeak && { isWeak }),
        warnings: [],
      });
      const { secret } = (await fixture.find('old-client')) ?? {};
      expect(secret?.digest).toEqual(fixture.deps.digester.digest('client-secret', value));
    },
  );

  // RFC 7518 section 3.2: signatures under a key that is shorter than the hash can be guessed offline.
  it.each([
    ['token_endpoint_auth_method', { token_endpoint_auth_method: 'client_secret_jwt' }, 'HS256', 32],
    [
      'token_endpoint_auth_signing_alg',
      { token_endpoint_auth_method: 'client_secret_jwt', token_endpoint_auth_signing_alg: 'HS384' },
      'HS384',
      48,
    ],
    ['id_token_signed_response_alg', { id_token_signed_response_alg: 'HS256' }, 'HS256', 32],
  ])('keeps no short secret for HMAC: %s', async (member, changes, algorithm, needed) => {
    const fixture = await registrationFixture();
    const metadata = { ...CLIENT.metadata, ...changes };
    const client: ReadableClient = { ...CLIENT, metadata, secret: { kind: 'given', value: 'short' } };
    expect(await importAfterDryRun(fixture, client)).toEqual({
      outcome: 'secret_lost',
      reason: `The secret has 5 characters; ${algorithm} (${member}) needs ${needed} (RFC 7518 section 3.2).`,
    });
  });

  it('encrypts under a key that is derived from its short secret, as from any other', async () => {
    const fixture = await registrationFixture();
    const metadata = { ...CLIENT.metadata, id_token_encrypted_response_alg: 'A128KW' };
    const secret: ExportedSecret = { kind: 'given', value: 'short' };
    expect(await importAfterDryRun(fixture, { ...CLIENT, metadata, secret })).toMatchObject({
      secret: 'kept',
      isWeak: true,
    });
  });

  it('loses a secret that it does not use', async () => {
    const fixture = await registrationFixture();
    const metadata = { ...CLIENT.metadata, token_endpoint_auth_method: 'none' };
    const warnings = ['Its secret is left out: the client does not use one.'];
    expect(await importAfterDryRun(fixture, { ...CLIENT, metadata })).toEqual({
      outcome: 'created',
      secret: 'none',
      warnings,
    });
    expect((await fixture.find('old-client'))?.secret).toBeUndefined();
  });

  it('that occurs twice has the same result in a dry run as in the import', async () => {
    const fixture = await registrationFixture();
    const other: ReadableClient = { ...CLIENT, secret: { kind: 'given', value: `${SECRET}2` } };
    for (const replacesExisting of [false, true]) {
      const input = { operator, issuesNewSecrets: true, replacesExisting };
      const dryRun = importDryRun(fixture.deps);
      const dryRunOutcomes = [];
      for (const client of [CLIENT, other]) dryRunOutcomes.push(await dryRun({ ...input, client }));
      expect(await fixture.all()).toEqual([]);
      const { deps } = await registrationFixture();
      const imported = [];
      for (const client of [CLIENT, other]) imported.push(await importClient(deps, { ...input, client }));
      expect(dryRunOutcomes).toEqual(imported);
      expect(dryRunOutcomes.map(({ outcome }) => outcome)).toEqual([
        'created',
        replacesExisting ? 'updated' : 'exists',
      ]);
    }
  });

  // The rules of registrations with the master token, and no others.
  it.each([
    [{ id: 'a b ' }, 'preferred_client_id'],
    [{ id: '..' }, 'preferred_client_id'],
    [{ metadata: { redirect_uris: ['http://app.example.org/cb'] } }, 'redirect_uris'],
    [{ metadata: { ...CLIENT.metadata, data: 'x' } }, 'data'],
  ])('is refused like any registration: %j', async (changes, member) => {
    const fixture = await registrationFixture();
    await expect(importAfterDryRun(fixture, { ...CLIENT, ...changes })).rejects.toThrow(member);
    expect(await fixture.all()).toEqual([]);
  });
});

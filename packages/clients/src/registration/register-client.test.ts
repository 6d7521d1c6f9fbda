import { DomainError } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { ALL_SCOPES, formatGrantedScopes, formatScope, NO_SCOPES, OPEN_SCOPES } from '@vestibule/scopes';
import { describe, expect, it } from 'vitest';
import { operatorActor } from '../audit-actor.js';
import { readClient } from '../management/read-client.js';
import { failure } from '../testing/failure.js';
import { ISSUER, MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { registerClient } from './register-client.js';
import { operatorAuthority } from './registration-authority.js';

const REDIRECT = { redirect_uris: ['https://app.example.org/cb'] };

describe('a registration', () => {
  it('returns client information, and stores exactly what it returned', async () => {
    const { find, clock, register } = await registrationFixture({ allowOpenRegistration: true });
    const { information, version } = await register({
      ...REDIRECT,
      client_name: 'Shop',
      client_id: 'mine',
      client_secret: 'mine',
    });
    const now = Math.floor(clock.nowMs() / 1000);
    const id = information.client_id;
    expect(Object.keys(information).slice(0, 6)).toEqual([
      'client_id',
      'client_id_issued_at',
      'client_secret',
      'client_secret_expires_at',
      'registration_client_uri',
      'registration_access_token',
    ]);
    expect(information).toMatchObject({
      client_id: expect.stringMatching(/^[A-Za-z0-9]{22}$/),
      client_id_issued_at: now,
      client_secret: expect.stringMatching(/^[A-Za-z0-9]{43}$/),
      client_secret_expires_at: 0,
      registration_access_token: expect.stringMatching(/^[A-Za-z0-9]{43}$/),
      registration_client_uri: `${ISSUER}/clients/${id}`,
      client_name: 'Shop',
      grant_types: ['authorization_code'],
    });
    const stored = await find(id);
    expect(stored).toMatchObject({
      id,
      origin: 'open_registration',
      status: 'active',
      grantedScopes: OPEN_SCOPES,
      issuedAt: now,
      version,
    });
    expect(JSON.stringify(stored)).not.toContain(information['client_secret']);
    expect(JSON.stringify(stored)).not.toContain(information['registration_access_token']);
  });

  it('issues no secret to clients that need none (registration/API.md#client-information)', async () => {
    const { register } = await registrationFixture();
    for (const client of [
      { token_endpoint_auth_method: 'none' },
      { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://app.example.org/jwks' },
    ]) {
      const { information } = await register({ ...REDIRECT, ...client }, MASTER);
      expect(information).not.toHaveProperty('client_secret');
      expect(information).not.toHaveProperty('client_secret_expires_at');
    }
  });

  it('issues secrets as long as the HMAC algorithms of the client require (RFC 7518 section 3.2)', async () => {
    const { register } = await registrationFixture();
    const lengthFor = async (client: JsonObject) =>
      String((await register({ ...REDIRECT, ...client }, MASTER)).information['client_secret']).length;
    expect(await lengthFor({ id_token_signed_response_alg: 'HS256' })).toBe(43);
    expect(await lengthFor({ id_token_signed_response_alg: 'HS384' })).toBe(48);
    expect(
      await lengthFor({
        userinfo_signed_response_alg: 'HS512',
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: 'https://app.example/jwks',
      }),
    ).toBe(64);
    expect(await lengthFor({ token_endpoint_auth_method: 'client_secret_jwt' })).toBe(64);
  });

  it('uses the configured lengths and lifetime', async () => {
    const { clock, register } = await registrationFixture({
      clientIdLength: 30,
      clientSecretLength: 60,
      registrationTokenLength: 50,
      clientSecretLifetimeSeconds: 3600,
    });
    const { information } = await register(REDIRECT, MASTER);
    const lengths = ['client_id', 'client_secret', 'registration_access_token'].map(
      (name) => String(information[name]).length,
    );
    expect(lengths).toEqual([30, 60, 50]);
    expect(information['client_secret_expires_at']).toBe(Math.floor(clock.nowMs() / 1000) + 3600);
  });

  it('stores the scopes of an initial access token', async () => {
    const { find, issue, register } = await registrationFixture();
    for (const scope of ['client-reg', 'client-reg:grant:code client-reg:data']) {
      const { information } = await register(REDIRECT, await issue(scope));
      const client = await find(information.client_id);
      expect(client).toMatchObject({ registrar: 'initial_access_token' });
      expect(formatScope(formatGrantedScopes(client?.grantedScopes ?? NO_SCOPES))).toBe(scope);
    }
  });

  it('with the master token or by an operator gets the scopes that it uses and the open ones', async () => {
    const { deps, find, register } = await registrationFixture();
    const body = {
      grant_types: ['client_credentials'],
      scope: 'write read',
      data: { tier: 'gold' },
      preferred_client_id: 'imported',
    };
    const authority = operatorAuthority(operatorActor('ann'));
    const responses = [
      await register(body, MASTER),
      await registerClient(deps, { authority, body: { ...body, preferred_client_id: 'other' } }),
    ];
    for (const { information } of responses) {
      const client = await find(information.client_id);
      expect(client).toMatchObject({ registrar: 'master_token', data: body.data });
      expect(formatScope(formatGrantedScopes(client?.grantedScopes ?? ALL_SCOPES))).toBe(
        'client-reg:grant:code client-reg:grant:implicit client-reg:grant:refresh client-reg:grant:client client-reg:scope:read client-reg:scope:write',
      );
    }
  });

  it('starts from the metadata of the initial access token, where null leaves a member unchanged', async () => {
    const { issue, register } = await registrationFixture();
    const metadataTemplate = { client_name: 'Partner', software_id: 'kit', contacts: ['ops@example.org'] };
    const token = await issue('client-reg', { metadataTemplate });
    const { information } = await register({ ...REDIRECT, client_name: 'Own', software_id: null }, token);
    expect(information).toMatchObject({ ...metadataTemplate, client_name: 'Own' });
  });

  it('refuses bodies that are not objects', async () => {
    const { register } = await registrationFixture();
    for (const body of [null, [], 'x', 1, true, undefined]) {
      await expect(register(body as never, MASTER)).rejects.toEqual(failure('invalid_request'));
    }
  });
});

describe('an initial access token', () => {
  it('is consumed by a successful registration, and by no other one', async () => {
    const { issue, register } = await registrationFixture();
    const token = await issue('client-reg:grant:code');
    const bad = [
      {},
      { ...REDIRECT, scope: 'x' },
      { ...REDIRECT, grant_types: ['nonsense'] },
      { redirect_uris: ['http://x.example/'] },
    ];
    for (const body of bad) await expect(register(body, token)).rejects.toBeInstanceOf(DomainError);
    await expect(register(REDIRECT, token)).resolves.toBeDefined();
    await expect(register(REDIRECT, token)).rejects.toEqual(failure('invalid_token'));
  });

  it('creates one client, however many registrations run in parallel', async () => {
    const { all, issue, register } = await registrationFixture();
    const token = await issue('client-reg:grant:code');
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => register(REDIRECT, token)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await all()).toHaveLength(1);
  });
});

describe('presets', () => {
  const SECRET = 'imported-secret-of-32-characters';

  it('become identifier and secret, and are not shown under their own names', async () => {
    const { find, register } = await registrationFixture();
    const presets = { preferred_client_id: 'legacy.app_1', preferred_client_secret: SECRET };
    const { information } = await register({ ...REDIRECT, ...presets }, MASTER);
    expect(information).toMatchObject({ client_id: 'legacy.app_1', client_secret: SECRET });
    expect(Object.keys(information).filter((name) => name.startsWith('preferred'))).toEqual([]);
    expect((await find('legacy.app_1'))?.origin).toBe('import');
  });

  it('never replace an existing client', async () => {
    const { register } = await registrationFixture();
    const race = Array.from({ length: 20 }, () =>
      register({ ...REDIRECT, preferred_client_id: 'one' }, MASTER),
    );
    const results = await Promise.allSettled(race);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toEqual(failure('invalid_client_metadata'));
    }
  });

  // An identifier of another namespace, or one that looks like another in paths, keys or to people, could impersonate
  // its holder.
  it('accept any identifier of 1 to 256 printable ASCII characters, as it was at the previous server', async () => {
    const { register, deps } = await registrationFixture();
    const ids = [
      'a',
      '...',
      '-',
      'A_9.~-',
      'svc@acme',
      'a b',
      'a/b',
      'a/../b',
      'a%2fb',
      'a?b#c&d=e+f,g;h',
      '!"$\'()*<>[\\]^`{|}~',
      'https://rp.example.org/a?b=c',
      'urn:acme:svc:1',
      'a'.repeat(256),
    ];
    for (const id of ids) {
      const { information } = await register({ ...REDIRECT, preferred_client_id: id }, MASTER);
      expect(information.client_id).toBe(id);
      const address = new URL(String(information['registration_client_uri']));
      expect(address.pathname, id).toBe(`/clients/${encodeURIComponent(id)}`);
      expect((await readClient(deps, { id, token: MASTER })).information.client_id).toBe(id);
    }
  });

  it('refuse identifiers that are too long, not printable ASCII, or not preserved in a URL', async () => {
    const { register } = await registrationFixture();
    const bad = [
      '',
      '.',
      '..',
      ' ',
      ' a',
      'a ',
      'é',
      'ａ',
      'аdmin',
      'e\u0301',
      '\u0000',
      'a\n',
      'a\tb',
      '\u202ea',
      'a\u200b',
      'a\u007f',
      '😀',
      'a'.repeat(257),
    ];
    for (const id of [...bad, 1, true, ['a'], {}]) {
      await expect(register({ ...REDIRECT, preferred_client_id: id }, MASTER), String(id)).rejects.toEqual(
        failure(
          'invalid_client_metadata',
          'preferred_client_id: must be 1 to 256 printable ASCII characters without a space at either end; . and .. are not possible',
        ),
      );
    }
  });

  // A short key can be found offline from one HMAC signature.
  it('refuse secrets that are weak, have unusual characters, or would be unused', async () => {
    const { register } = await registrationFixture();
    const attempt = (secret: unknown, client = {}) =>
      register({ ...REDIRECT, ...client, preferred_client_secret: secret as string }, MASTER);
    for (const secret of [
      '',
      'short',
      'a'.repeat(31),
      'é'.repeat(32),
      `${SECRET}\n`,
      `${SECRET}\u007f`,
      'a'.repeat(257),
      1,
      [SECRET],
    ]) {
      await expect(attempt(secret), String(secret)).rejects.toEqual(failure('invalid_client_metadata'));
    }
    await expect(attempt(SECRET, { token_endpoint_auth_method: 'none' })).rejects.toEqual(
      failure('invalid_client_metadata'),
    );
    await expect(attempt(SECRET, { id_token_signed_response_alg: 'HS384' })).rejects.toEqual(
      failure('invalid_client_metadata'),
    );
    await expect(attempt(SECRET, { id_token_signed_response_alg: 'HS256' })).resolves.toBeDefined();
    await expect(attempt('s'.repeat(64), { id_token_signed_response_alg: 'HS512' })).resolves.toBeDefined();
  });
});

describe('data', () => {
  const nested = (levels: number): JsonObject => (levels === 1 ? { end: 1 } : { a: nested(levels - 1) });

  it('is stored and shown', async () => {
    const { register } = await registrationFixture();
    const data = { team: { name: 'Ünïcode', tags: [1, null, true] } };
    expect((await register({ ...REDIRECT, data }, MASTER)).information['data']).toStrictEqual(data);
    expect((await register({ ...REDIRECT, data: null }, MASTER)).information).not.toHaveProperty('data');
  });

  it('must be an object of limited size and depth', async () => {
    const { register } = await registrationFixture();
    const attempt = (data: unknown) => register({ ...REDIRECT, data: data as JsonObject }, MASTER);
    for (const data of [
      'x',
      1,
      [],
      [{}],
      true,
      nested(9),
      { a: 'x'.repeat(16_384) },
      { a: 'é'.repeat(8190) },
      { a: '\u0000' },
      { '\ud800': 1 },
    ]) {
      await expect(attempt(data)).rejects.toEqual(failure('invalid_client_metadata'));
    }
    for (const data of [{}, nested(8), { a: 'x'.repeat(16_000) }])
      await expect(attempt(data)).resolves.toBeDefined();
  });
});

describe('documents of third parties', () => {
  const sector = { sector_identifier_uri: 'https://app.example.org/sector.json' };
  const STATEMENT = 'e30.e30.c2ln';

  it('refuses a sector document that does not list every redirect URI, and an unreadable one', async () => {
    const { deps } = await registrationFixture();
    const authority = { kind: 'master', grantedScopes: ALL_SCOPES } as const;
    const attempt = (document?: unknown) =>
      registerClient(
        document === undefined ? deps : { ...deps, sectorIdentifiers: { read: async () => document } },
        { authority, body: { ...REDIRECT, ...sector } },
      );
    await expect(attempt(REDIRECT.redirect_uris)).resolves.toMatchObject({ information: sector });
    for (const document of [[], {}, ['https://x.example/'], undefined]) {
      await expect(attempt(document)).rejects.toEqual(failure('invalid_client_metadata'));
    }
  });

  it('does not read a sector document for a registrant without permission to register', async () => {
    const { deps, issue, register } = await registrationFixture();
    let reads = 0;
    Object.assign(deps, { sectorIdentifiers: { read: async () => (reads += 1) } });
    await expect(register({ ...REDIRECT, ...sector }, await issue('client-reg:data'))).rejects.toEqual(
      failure('insufficient_scope'),
    );
    expect(reads).toBe(0);
  });

  it('lets the claims of a trusted software statement override members, within the granted scopes (RFC 7591 section 2.3)', async () => {
    const { deps, issue, register } = await registrationFixture();
    const verified = (claims: JsonObject) =>
      Object.assign(deps, { softwareStatements: { verify: async () => claims } });
    verified({
      iss: 'https://vendor.example',
      client_name: 'Vendor',
      client_id: 'x',
      data: { a: 1 },
      preferred_client_id: 'taken',
    });
    const body = { ...REDIRECT, client_name: 'Mine', software_statement: STATEMENT };
    const { information } = await register(body, await issue('client-reg:grant:code'));
    expect(information).toMatchObject({ client_name: 'Vendor', software_statement: STATEMENT });
    expect(information).not.toHaveProperty('data');
    expect(information).not.toHaveProperty('iss');
    expect(information.client_id).toHaveLength(22);
    verified({ grant_types: ['password'] });
    await expect(register(body, await issue('client-reg:grant:code'))).rejects.toEqual(
      failure('insufficient_scope'),
    );
    verified({ redirect_uris: ['http://evil.example/'] });
    await expect(register(body, MASTER)).rejects.toEqual(failure('invalid_redirect_uri'));
  });

  it('trusts no software statement if no issuer is configured, and requires one if configured so', async () => {
    const plain = await registrationFixture();
    const body = { ...REDIRECT, software_statement: STATEMENT };
    await expect(plain.register(body, MASTER)).rejects.toEqual(failure('unapproved_software_statement'));
    const strict = await registrationFixture({ softwareStatementRequired: true });
    await expect(strict.register(REDIRECT, MASTER)).rejects.toEqual(failure('invalid_software_statement'));
  });
});

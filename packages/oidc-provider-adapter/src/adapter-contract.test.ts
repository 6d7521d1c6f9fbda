import { randomBytes } from 'node:crypto';
import type { Client } from '@vestibule/clients';
import { secureRandom } from '@vestibule/crypto';
import { openDataKeys, parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { openDatabase } from '@vestibule/database';
import { type ClientId, epochSeconds, type Issuer } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import { NO_SCOPES } from '@vestibule/scopes';
import { createTestDatabase } from '@vestibule/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { createAdapterFactory } from './index.js';

const ISSUER = 'https://as.example' as Issuer;
const CLIENT = 'client' as ClientId;
/** The lifetime with which a model of the library is saved, in seconds. */
const TTL = 60;

/** The adapter over a database of its own with one client, and a clock that the test advances. */
async function createFixture(deviations: Partial<Client> = {}) {
  const { url, sql, drop } = await createTestDatabase();
  onTestFinished(drop);
  const database = openDatabase({ url });
  onTestFinished(() => database.close());
  const clock = frozenClock();
  const keyEncryptionKeys = parseKeyEncryptionKeys(randomBytes(32).toString('base64url'));
  const keys = { store: database.dataKeys, keyEncryptionKeys, clock, random: secureRandom };
  const { encryptor, digester } = await openDataKeys(keys);
  const now = epochSeconds(Math.floor(clock.nowMs() / 1000));
  const metadata = { grant_types: ['authorization_code', 'password'], response_types: ['code', 'token'] };
  await database.clients.create({
    id: CLIENT,
    metadata: {
      ...metadata,
      token_endpoint_auth_method: 'none',
      scope: 'read',
      default_acr_values: ['gold', 'silver'],
    } as never,
    grantedScopes: NO_SCOPES,
    origin: 'registration',
    status: 'active',
    issuedAt: now,
    updatedAt: now,
    version: 1,
    ...deviations,
  });
  const adapterOf = createAdapterFactory({
    clock,
    issuer: ISSUER,
    digester,
    encryptor,
    clients: database.clients,
    records: database.providerRecords,
    replays: database.replays,
    performed: { grantTypes: ['authorization_code'], responseTypes: ['code'], acrValues: ['silver'] },
  });
  return { adapterOf, clock, now, database, sql, digester };
}

type Fixture = Awaited<ReturnType<typeof createFixture>>;

/** Payloads as the library creates them, by model. */
function payloads({ now }: Fixture) {
  const common = { iat: now, exp: now + TTL, clientId: CLIENT, accountId: 'alice', grantId: 'grant' };
  return {
    AuthorizationCode: {
      ...common,
      kind: 'AuthorizationCode',
      redirectUri: 'https://app.example/cb',
      scope: 'openid',
    },
    DeviceCode: { ...common, kind: 'DeviceCode', userCode: 'ABCD-EFGH' },
    PushedAuthorizationRequest: { kind: 'PushedAuthorizationRequest', exp: now + TTL, request: 'a.b.' },
    Interaction: {
      kind: 'Interaction',
      exp: now + TTL,
      session: { accountId: 'alice', cookie: 'live-cookie' },
    },
    AccessToken: {
      ...common,
      kind: 'AccessToken',
      scope: 'openid',
      gty: 'authorization_code',
      extra: { subject: 'alice' },
    },
    RefreshToken: { ...common, kind: 'RefreshToken', scope: 'openid', iiat: now },
    ClientCredentials: {
      iat: now,
      exp: now + TTL,
      clientId: CLIENT,
      kind: 'ClientCredentials',
      scope: 'read',
    },
  };
}

async function withGrant(here: Fixture) {
  const grant = { kind: 'Grant', clientId: CLIENT, accountId: 'alice', iat: here.now, exp: here.now + TTL };
  await here.adapterOf('Grant').upsert('grant', { ...grant, jti: 'grant' }, TTL);
  return grant;
}

// The programs that store them are not ours: only this shows that the client is in use.
it.each(['AccessToken', 'RefreshToken', 'ClientCredentials', 'Grant', 'Session'])(
  'makes an open registration permanent when a %s is stored for it',
  async (model) => {
    const origin = 'open_registration';
    const here = await createFixture({ origin, expiresAt: epochSeconds(Number.MAX_SAFE_INTEGER / 2 ** 20) });
    const session = {
      kind: 'Session',
      uid: 'login',
      accountId: 'alice',
      loginTs: here.now,
      authorizations: { [CLIENT]: { sid: 'sid', grantId: 'grant' } },
    };
    const grant = { kind: 'Grant', clientId: CLIENT, accountId: 'alice', iat: here.now, exp: here.now + TTL };
    const { grantId: _access, ...access } = payloads(here).AccessToken;
    const { grantId: _refresh, ...refresh } = payloads(here).RefreshToken;
    const saved: Readonly<Record<string, object>> = {
      ...payloads(here),
      AccessToken: access,
      RefreshToken: refresh,
      Grant: grant,
      Session: session,
    };
    await here.adapterOf(model).upsert('id', { ...saved[model], jti: 'id' }, TTL);
    const client = await here.database.clients.find(CLIENT);
    expect(client).toMatchObject({ lastUsedAt: here.now });
    expect(client).not.toHaveProperty('expiresAt');
  },
);

it('returns every model as it was saved, and nothing under another identifier', async () => {
  const here = await createFixture();
  await withGrant(here);
  for (const [model, payload] of Object.entries(payloads(here))) {
    const adapter = here.adapterOf(model);
    const id = `${model}-identifier-that-is-a-credential-0123456789`;
    await adapter.upsert(id, { ...payload, jti: id }, TTL);
    const { extra: _columns, ...expected } = { ...payload, jti: id } as Record<string, unknown>;
    expect(await adapter.find(id), model).toEqual(expected);
    expect(await adapter.find(`${id}x`), model).toBeUndefined();
    await adapter.destroy(id);
    expect(await adapter.find(id), model).toBeUndefined();
  }
});

it('stores no identifier that is a credential, in no column of any table', async () => {
  const here = await createFixture();
  await withGrant(here);
  for (const [model, payload] of Object.entries(payloads(here)))
    await here
      .adapterOf(model)
      .upsert('canary-credential-0123456789', { ...payload, jti: 'canary-credential-0123456789' }, TTL);
  const session = { uid: 'uid', accountId: 'alice', exp: here.now + TTL, kind: 'Session' };
  await here.adapterOf('Session').upsert('canary-credential-0123456789', session, TTL);
  for (const table of ['artifact', 'access_token', 'refresh_token', 'session', '"authorization"']) {
    const rows = JSON.stringify(await here.sql(`SELECT row_to_json(t)::text AS row FROM ${table} t`));
    expect(rows).not.toContain('canary-credential');
    expect(rows).not.toContain('live-cookie');
    expect(rows).not.toContain('ABCD-EFGH');
  }
});

it('finds nothing from the second of its expiry on', async () => {
  const here = await createFixture();
  await withGrant(here);
  for (const [model, payload] of Object.entries(payloads(here))) {
    await here.adapterOf(model).upsert('id', { ...payload, jti: 'id' }, TTL);
  }
  here.clock.advanceSeconds(TTL - 1);
  for (const model of [...Object.keys(payloads(here)), 'Grant'])
    expect(await here.adapterOf(model).find(model === 'Grant' ? 'grant' : 'id'), model).toBeDefined();
  here.clock.advanceSeconds(1);
  for (const model of [...Object.keys(payloads(here)), 'Grant'])
    expect(await here.adapterOf(model).find(model === 'Grant' ? 'grant' : 'id'), model).toBeUndefined();
});

it.each(['AccessToken', 'ClientCredentials'] as const)(
  'dates one %s by its own clock, whatever the clock of the machine, and keeps its remaining lifetime',
  async (model) => {
    const here = await createFixture();
    await withGrant(here);
    for (const ahead of [0, 120, -120]) {
      const id = `token-${ahead}`;
      const times = { iat: here.now + ahead, exp: here.now + ahead + TTL };
      await here.adapterOf(model).upsert(id, { ...payloads(here)[model], ...times, jti: id }, TTL);
      const [stored] = await here.database.accessTokens.findMany([here.digester.digest('access-token', id)]);
      expect(stored?.token).toMatchObject({ issuedAt: here.now, expiresAt: here.now + TTL });
      expect(await here.adapterOf(model).find(id)).toMatchObject(times);
      here.clock.advanceSeconds(10);
      await here.adapterOf(model).upsert(`${id}-again`, { ...payloads(here)[model], ...times }, TTL - 10);
      const [again] = await here.database.accessTokens.findMany([
        here.digester.digest('access-token', `${id}-again`),
      ]);
      expect(again?.token).toMatchObject({ issuedAt: here.now, expiresAt: here.now + TTL });
      here.clock.advanceSeconds(-10);
    }
  },
);

it.each(['AuthorizationCode', 'RefreshToken', 'DeviceCode', 'PushedAuthorizationRequest'] as const)(
  'accepts exactly one of 100 parallel uses of one %s',
  async (model) => {
    const here = await createFixture();
    await withGrant(here);
    const adapter = here.adapterOf(model);
    await adapter.upsert('id', { ...payloads(here)[model], jti: 'id' }, TTL);
    const uses = await Promise.allSettled(Array.from({ length: 100 }, () => adapter.consume('id')));
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await adapter.find('id')).toMatchObject({ consumed: here.now });
    await expect(adapter.consume('id')).rejects.toMatchObject({
      error: expect.stringMatching(/^invalid_(grant|request_uri)$/),
    });
  },
);

it('revokes everything under a grant, whichever model requests it, and nothing under another grant', async () => {
  const here = await createFixture();
  const models = ['AuthorizationCode', 'AccessToken', 'RefreshToken'] as const;
  for (const requested of models) {
    await withGrant(here);
    await here.adapterOf('Grant').upsert('other', { clientId: CLIENT, accountId: 'alice' }, TTL);
    for (const model of models) {
      const payload = payloads(here)[model];
      await here.adapterOf(model).upsert('mine', { ...payload, jti: 'mine' }, TTL);
      await here.adapterOf(model).upsert('others', { ...payload, grantId: 'other', jti: 'others' }, TTL);
    }
    await here.adapterOf(requested).revokeByGrantId('grant');
    for (const model of models) {
      expect(await here.adapterOf(model).find('mine'), `${requested} ${model}`).toBeUndefined();
      expect(await here.adapterOf(model).find('others'), `${requested} ${model}`).toBeDefined();
    }
  }
});

it('ends a grant with everything under it, and stores nothing for it later', async () => {
  const here = await createFixture();
  await withGrant(here);
  const token = payloads(here).AccessToken;
  await here.adapterOf('AccessToken').upsert('before', { ...token, jti: 'before' }, TTL);
  await here.adapterOf('Grant').destroy('grant');
  await here.adapterOf('AccessToken').upsert('after', { ...token, jti: 'after' }, TTL);
  expect(await here.adapterOf('Grant').find('grant')).toBeUndefined();
  expect(await here.adapterOf('AccessToken').find('before')).toBeUndefined();
  expect(await here.adapterOf('AccessToken').find('after')).toBeUndefined();
});

it('revokes self-contained tokens with their grant, including one issued while it ends', async () => {
  const { database, now, digester, ...here } = await createFixture();
  await withGrant({ database, now, digester, ...here });
  const { authorizations } = database.providerRecords;
  const jwt = (jti: string) => ({
    ...{ issuer: ISSUER, jti, authorizationId: 'grant', expiresAt: epochSeconds(now + TTL) },
    digest: digester.digest('artifact', jti),
  });
  await authorizations.addJwt(jwt('before'), now);
  const facts = (jti: string) => ({ issuer: ISSUER, jti, clientId: CLIENT, earliestIssuedAt: now });
  const statuses = async () =>
    (await database.revocations.statuses([facts('before'), facts('after')])).map(
      ({ isRevoked }) => isRevoked,
    );
  expect(await statuses()).toEqual([false, false]);
  await authorizations.destroy('grant', now);
  await authorizations.addJwt(jwt('after'), now);
  expect(await statuses()).toEqual([true, true]);
});

it('finds a session by its cookie and by its uid, and moves it to the next cookie in one step', async () => {
  const here = await createFixture();
  const adapter = here.adapterOf('Session');
  const payload = {
    kind: 'Session',
    uid: 'uid',
    accountId: 'alice',
    loginTs: here.now,
    exp: here.now + TTL,
    authorizations: { client: { sid: 'sid-1', grantId: 'grant' }, gone: { sid: 'sid-2' } },
  };
  await adapter.upsert('cookie-1', { ...payload, jti: 'cookie-1' }, TTL);
  const found = { ...payload, authorizations: { client: { sid: 'sid-1', grantId: 'grant' } } };
  expect(await adapter.find('cookie-1')).toEqual({ ...found, jti: 'cookie-1' });
  expect(await adapter.findByUid('uid')).toEqual(found);
  await adapter.upsert('cookie-2', { ...payload, jti: 'cookie-2' }, TTL);
  expect(await adapter.find('cookie-1')).toBeUndefined();
  expect(await adapter.find('cookie-2')).toBeDefined();
  expect(await here.sql('SELECT client_id, sid FROM session_client')).toEqual([
    { client_id: 'client', sid: 'sid-1' },
  ]);
  await adapter.destroy('cookie-2');
  expect(await adapter.findByUid('uid')).toBeUndefined();
});

it('keeps a login at a client ended, whatever a slow request saves later', async () => {
  const here = await createFixture();
  const adapter = here.adapterOf('Session');
  const session = { kind: 'Session', uid: 'uid', accountId: 'alice', exp: here.now + TTL };
  const save = (sid: string) =>
    adapter.upsert('cookie', { ...session, authorizations: { client: { sid, grantId: 'grant' } } }, TTL);
  await save('sid-1');
  await here.database.logoutSessions.leave({ id: 'uid', subject: 'alice' }, CLIENT, here.now);
  await save('sid-2');
  expect(await adapter.findByUid('uid')).toMatchObject({ authorizations: { client: { sid: 'sid-2' } } });
  await save('sid-1');
  expect(await adapter.findByUid('uid')).toEqual({
    ...session,
    authorizations: { client: { sid: 'sid-2' } },
  });
  await save('sid-3');
  expect(await adapter.findByUid('uid')).toMatchObject({ authorizations: { client: { sid: 'sid-3' } } });
  expect(await here.sql('SELECT sid FROM session_client')).toEqual([{ sid: 'sid-3' }]);
});

it('finds an artifact by its user code', async () => {
  const here = await createFixture();
  const adapter = here.adapterOf('DeviceCode');
  await adapter.upsert('id', { ...payloads(here).DeviceCode, jti: 'id' }, TTL);
  expect(await adapter.findByUserCode('ABCD-EFGH')).toMatchObject({ jti: 'id' });
  expect(await adapter.findByUserCode('ABCD-EFGX')).toBeUndefined();
});

it('accepts a proof once, however many parallel uses there are', async () => {
  const here = await createFixture();
  const adapter = here.adapterOf('ReplayDetection');
  expect(await adapter.find('proof')).toBeUndefined();
  const uses = await Promise.allSettled(Array.from({ length: 20 }, () => adapter.upsert('proof', {}, TTL)));
  expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it('finds a client as it is now, limited to what the server performs, and not if it is pending or has expired', async () => {
  const here = await createFixture();
  const adapter = here.adapterOf('Client');
  expect(await adapter.find('client')).toEqual({
    client_id: 'client',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    registered_scope: 'read',
    default_acr_values: ['silver'],
  });
  await here.sql(`UPDATE client SET status = 'pending'`);
  expect(await adapter.find('client')).toBeUndefined();
  await here.sql(`UPDATE client SET status = 'active', expires_at = to_timestamp(${here.now})`);
  expect(await adapter.find('client')).toBeUndefined();
  expect(await adapter.find('unknown-id')).toBeUndefined();
  await expect(adapter.upsert('client', {})).rejects.toThrow('has no upsert');
});

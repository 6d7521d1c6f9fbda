import { openTestDataKeys } from '@vestibule/crypto/testing';
import { openDatabase } from '@vestibule/database';
import { type ClientId, epochSeconds, type Issuer, nowSeconds } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import { NO_SCOPES } from '@vestibule/scopes';
import { createTestDatabase } from '@vestibule/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { accessTokenOf, authenticationFacts, jwtCustomizer } from './index.js';

const ISSUER = 'https://as.example' as Issuer;
const LIFETIME = 600;

it('dates self-contained tokens by its own clock, whatever the clock of the machine, and keeps their lifetime', async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const { providerRecords: records, close } = openDatabase({ url });
  onTestFinished(close);
  const clock = frozenClock();
  const { digester } = await openTestDataKeys();
  const customize = jwtCustomizer({ issuer: ISSUER, records, digester, clock });
  const now = nowSeconds(clock);
  for (const ahead of [0, 30, -30]) {
    const iat = now + ahead;
    const jwt = { payload: { jti: 'j', iat, exp: iat + LIFETIME } };
    await customize(undefined, { clientId: 'client', scope: 'read', aud: 'https://rs.example' }, jwt);
    expect(jwt.payload).toMatchObject({ jti: 'j', iat: now, exp: now + LIFETIME });
  }
});

it('adds the details of the login and the authorization details to both formats, beside consented claims', async () => {
  const details = [{ type: 'account', actions: ['read'] }];
  const context = { oidc: { entities: { AuthorizationCode: { acr: 'gold', authTime: 1_700_000_000 } } } };
  const extra = { claims: { email: 'a@example.com' }, ...authenticationFacts(context as never) };
  const model = { clientId: 'client', scope: 'read', extra, rar: details };
  const claims = {
    email: 'a@example.com',
    acr: 'gold',
    auth_time: 1_700_000_000,
    authorization_details: details,
  };
  const now = nowSeconds(frozenClock());
  const times = { iat: now, exp: now + LIFETIME };
  expect(accessTokenOf({ ...model, ...times }, { issuer: ISSUER, now })).toMatchObject({ claims });
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const { providerRecords: records, close } = openDatabase({ url });
  onTestFinished(close);
  const { digester } = await openTestDataKeys();
  const customize = jwtCustomizer({ issuer: ISSUER, records, digester, clock: frozenClock() });
  const jwt = { payload: { jti: 'j', ...times } };
  await customize(undefined, model, jwt);
  expect(jwt.payload).toMatchObject(claims);
});

it('returns no details of a login without an end-user', () => {
  expect(authenticationFacts({ oidc: { entities: { Client: {} } } } as never)).toEqual({});
});

it('records each as a use of its client, with and without a grant', async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const { providerRecords: records, clients, close } = openDatabase({ url });
  onTestFinished(close);
  const clock = frozenClock();
  const { digester } = await openTestDataKeys();
  const customize = jwtCustomizer({ issuer: ISSUER, records, digester, clock });
  const now = nowSeconds(clock);
  for (const name of ['alone', 'granted']) {
    const id = name as ClientId;
    const times = { issuedAt: now, updatedAt: now, expiresAt: epochSeconds(now + 60) };
    const clientState = {
      origin: 'open_registration',
      status: 'active',
      grantedScopes: NO_SCOPES,
      version: 1,
    } as const;
    await clients.create({ id, metadata: {} as never, ...clientState, ...times });
  }
  await records.authorizations.save(
    { id: 'grant', clientId: 'granted' as ClientId, subject: 'alice', payload: {} },
    epochSeconds(now - 1_000),
  );
  const jwt = (jti: string) => ({ payload: { jti, iat: now, exp: now + LIFETIME } });
  await customize(undefined, { clientId: 'alone', scope: 'read' }, jwt('one'));
  await customize(undefined, { clientId: 'granted', accountId: 'alice', grantId: 'grant' }, jwt('two'));
  for (const id of ['alone', 'granted']) {
    const client = await clients.find(id as ClientId);
    expect(client, id).toMatchObject({ lastUsedAt: now });
    expect(client, id).not.toHaveProperty('expiresAt');
  }
});

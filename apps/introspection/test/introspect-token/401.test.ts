import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { activeMembers, basic, call, JSON_HEADERS, type Seen } from '../support/introspection-call.js';
import { aTestService, CLIENT, ENDPOINT, ISSUER, SECRET, scopeOf } from '../support/test-service.js';

const BODY = '{"error":"invalid_client","error_description":"Client authentication failed or is missing"}';

function unauthenticated(challenge: string): Seen {
  return { status: 401, headers: { ...JSON_HEADERS, 'www-authenticate': challenge }, body: BODY };
}

const BASIC = unauthenticated('Basic realm="token introspection", charset="UTF-8"');
const BEARER = unauthenticated('Bearer realm="token introspection", error="invalid_token"');

describe('POST /token/introspect without a valid client credential', () => {
  it('has the same response for missing, malformed and wrong ones', async () => {
    const service = await aTestService();
    const token = await service.identifier();
    const id = 'rs1';
    const headers = [
      undefined,
      '',
      'Basic',
      'Basic ',
      'Basic =',
      'Basic %%%',
      `${basic()} ${basic()}`,
      `${basic()}=`,
      basic(id, 'wrong'),
      basic(id, ''),
      basic(id, `${SECRET} `),
      basic(id, SECRET.slice(0, -1)),
      basic(id, SECRET.toLowerCase()),
      basic('unknown'),
      basic(''),
      `Basic ${Buffer.from('rs1').toString('base64')}`,
      `Basic ${Buffer.from('%zz:%zz').toString('base64')}`,
      `Basic ${Buffer.from('rs1\0:x').toString('base64')}`,
      `Basic ${'QUFB'.repeat(3000)}`,
      'Digest username="rs1"',
      'Negotiate abc',
    ];
    for (const authorization of headers)
      expect(await call(service.app, { token }, { authorization }), authorization).toEqual(BASIC);
    for (const form of [
      { client_id: id },
      { client_id: id, client_secret: 'wrong' },
      { client_secret: SECRET },
    ])
      expect(await call(service.app, { token, ...form }, { authorization: undefined })).toEqual(BASIC);
  });

  it('authenticates before it checks the parameters', async () => {
    const { app } = await aTestService();
    for (const form of ['revoke=maybe', 'token=', 'x=y'])
      expect(await call(app, form, { authorization: undefined })).toEqual(BASIC);
  });

  it('refuses a client that uses another method than its own, has expired, or is pending approval', async () => {
    const service = await aTestService();
    const token = await service.identifier();
    const past = 1 as EpochSeconds;
    const digest = service.deps.digester.digest('client-secret', SECRET);
    await service.register('post', { token_endpoint_auth_method: 'client_secret_post' });
    await service.register('jwt', { token_endpoint_auth_method: 'client_secret_jwt' });
    await service.register('public', { token_endpoint_auth_method: 'none' });
    await service.register('expired', {}, { expiresAt: past });
    await service.register('pending', {}, { status: 'pending' });
    await service.register('suspended', {}, { status: 'suspended' });
    await service.register('stale', {}, { secret: { digest, encrypted: 'sealed', expiresAt: past } });
    for (const id of ['expired', 'pending', 'suspended', 'stale'])
      expect(await call(service.app, { token }, { authorization: basic(id) }), id).toEqual(BASIC);
    for (const id of ['post', 'jwt', 'public'])
      expect(await call(service.app, { token }, { authorization: basic(id, 'wrong') }), id).toEqual(BASIC);
    activeMembers(
      await call(
        service.app,
        { token, client_id: 'post', client_secret: SECRET },
        { authorization: undefined },
      ),
    );
  });

  it('refuses a malformed client assertion', async () => {
    const { app } = await aTestService();
    const form = {
      token: 'x',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: 'a.b.c',
    };
    const description = 'client_assertion cannot be read as a signed JWT';
    expect(await call(app, form, { authorization: undefined })).toEqual({
      ...BASIC,
      body: JSON.stringify({ error: 'invalid_client', error_description: description }),
    });
  });
});

describe.each(['identifier', 'jwt'] as const)('POST /token/introspect with a bearer token (%s)', (format) => {
  const scope = scopeOf(ENDPOINT);

  it('has the same response for every token that is not live or has another audience', async () => {
    const service = await aTestService();
    const token = await service.identifier();
    const expired = await service[format]({ scope, lifetimeSeconds: 5 });
    service.clock.advanceSeconds(5);
    const bearers = [
      expired,
      await service[format]({
        scope,
        notBefore: (Math.floor(service.clock.nowMs() / 1000) + 9) as EpochSeconds,
      }),
      await service[format]({ scope, audience: ['rs1'] }),
      await service[format]({ scope, confirmation: { jkt: 'x' } }),
      await service[format]({ scope, confirmation: { 'x5t#S256': 'x' } }),
      await service.signed('JWT', { iss: ISSUER, sub: 'alice', aud: 'client' }),
      'master-token-master-token-master-token-master',
      'x'.repeat(43),
      'x',
      'a b',
      '"x"',
      '',
    ];
    for (const bearer of bearers)
      expect(await call(service.app, { token }, { authorization: `Bearer ${bearer}` }), bearer).toEqual(
        BEARER,
      );
  });

  it('refuses a revoked token, and one whose client is deleted, expired or pending', async () => {
    const service = await aTestService();
    const token = await service.identifier();
    const now = Math.floor(service.clock.nowMs() / 1000) as EpochSeconds;
    await service.register('gone');
    await service.register('pending', {}, { status: 'pending' });
    await service.register('expiring', {}, { expiresAt: (now + 5) as EpochSeconds });
    const bearerOf = (id: string) => service[format]({ clientId: id as ClientId, scope });
    const bearers = [await bearerOf('gone'), await bearerOf('pending'), await bearerOf('expiring')];
    const introspectWith = (bearer: string) =>
      call(service.app, { token }, { authorization: `Bearer ${bearer}` });
    for (const bearer of [bearers[0], bearers[2]]) activeMembers(await introspectWith(bearer ?? ''));
    await service.database.clients.delete('gone' as ClientId, now);
    service.clock.advanceSeconds(5);
    for (const bearer of bearers) expect(await introspectWith(bearer)).toEqual(BEARER);

    const revoked = await service[format]({ scope });
    activeMembers(await introspectWith(revoked));
    await service.database.revocations.revokeClient(CLIENT, (now + 5) as EpochSeconds);
    expect(await introspectWith(revoked)).toEqual(BEARER);
  });
});

import { type ClientId, type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import { revokeToken } from '@vestibule/tokens/revocation';
import { describe, expect, it } from 'vitest';
import { activeMembers, basic, call, INACTIVE, JSON_HEADERS } from '../support/introspection-call.js';
import {
  aTestService,
  CLIENT,
  ENDPOINT,
  ISSUER,
  SECRET,
  scopeOf,
  type TestService,
} from '../support/test-service.js';

const FORMATS = ['identifier', 'jwt'] as const;

/**
 * Every way in which a token of `client`, of `alice` in the session `s1`, can be revoked (RFC 7009,
 * registration/API.md#delete).
 */
const REVOCATIONS: [string, (service: TestService, token: string) => Promise<unknown>][] = [
  ['token', ({ revocationDeps }, token) => revokeToken(revocationDeps, token)],
  ['subject', ({ database, clock }) => database.revocations.revokeSubject('alice', nowSeconds(clock))],
  ['session', ({ database, clock }) => database.revocations.revokeSession('s1', nowSeconds(clock))],
  ['client', ({ database, clock }) => database.revocations.revokeClient(CLIENT, nowSeconds(clock))],
  ['client, by deletion', ({ database, clock }) => database.clients.delete(CLIENT, nowSeconds(clock))],
];

describe.each(FORMATS)('POST /token/introspect with a live token (%s)', (format) => {
  it('responds with the members of introspection/API.md#response in order, and the consented claims', async () => {
    const service = await aTestService();
    const now = nowSeconds(service.clock);
    const token = await service[format]({
      audience: ['rs2', 'rs1'],
      username: 'alice@example.com',
      notBefore: now,
      confirmation: { 'x5t#S256': 'thumbprint' },
      actor: { sub: 'bob' },
      data: { tier: 'gold' },
      claims: { email: 'alice@example.com' },
    });
    const response = await call(service.app, { token });
    const jti = format === 'jwt' ? `"jti":"${JSON.parse(response.body).jti}",` : '';
    expect(response).toEqual({
      status: 200,
      headers: JSON_HEADERS,
      body:
        '{"active":true,"scope":"read write","client_id":"client","username":"alice@example.com",' +
        `"token_type":"Bearer","exp":${now + 600},"iat":${now},"nbf":${now},"sub":"alice","aud":["rs1"],` +
        `"iss":"${ISSUER}",${jti}"cnf":{"x5t#S256":"thumbprint"},"act":{"sub":"bob"},"dat":{"tier":"gold"},` +
        '"email":"alice@example.com"}',
    });
  });

  it('has the token type DPoP for a token that is bound to a proof key (RFC 9449 section 6.2)', async () => {
    const service = await aTestService();
    const token = await service[format]({ confirmation: { jkt: 'thumbprint' } });
    const members = activeMembers(await call(service.app, { token }));
    expect(members).toMatchObject({ token_type: 'DPoP', cnf: { jkt: 'thumbprint' } });
  });

  it('does not trust the hint, and ignores unknown parameters', async () => {
    const service = await aTestService();
    const token = await service[format]();
    for (const token_type_hint of ['access_token', 'refresh_token', 'id_token', 'jwt', ''])
      activeMembers(await call(service.app, { token, token_type_hint, unknown: 'x' }));
  });

  it('is inactive from the second of exp on', async () => {
    const service = await aTestService();
    const token = await service[format]({ lifetimeSeconds: 10 });
    service.clock.advanceSeconds(9);
    activeMembers(await call(service.app, { token }));
    service.clock.advanceSeconds(0.5);
    expect(await call(service.app, { token })).toEqual(INACTIVE);
  });

  it('is inactive before nbf', async () => {
    const service = await aTestService();
    const notBefore = (nowSeconds(service.clock) + 10) as EpochSeconds;
    const token = await service[format]({ notBefore });
    expect(await call(service.app, { token })).toEqual(INACTIVE);
    expect(await call(service.app, { token, revoke: 'true' })).toEqual(INACTIVE);
    service.clock.advanceSeconds(10);
    activeMembers(await call(service.app, { token }));
  });

  it('is active only for the members of its audience, with every kind of authentication', async () => {
    const service = await aTestService();
    await service.register('rs2');
    await service.register('rs3', { token_endpoint_auth_method: 'client_secret_post' });
    const bearer = async (id: string) => {
      const grant = { clientId: id as ClientId, scope: scopeOf(ENDPOINT) };
      return `Bearer ${await service[format](grant)}`;
    };
    const askAs = async (id: string, token: string) => [
      id === 'rs3'
        ? await call(
            service.app,
            { token, client_id: id, client_secret: SECRET },
            { authorization: undefined },
          )
        : await call(service.app, { token }, { authorization: basic(id) }),
      await call(service.app, { token }, { authorization: await bearer(id) }),
    ];
    const audiences = [
      [],
      ['rs1'],
      ['rs2'],
      ['rs2', 'rs3'],
      ['client'],
      ['RS1'],
      [ISSUER],
      ['rs1', 'rs2', 'rs3'],
    ];
    const cases = audiences.flatMap((audience) =>
      ['rs1', 'rs2', 'rs3'].map((caller) => ({ audience, caller })),
    );
    for (const { audience, caller } of cases) {
      const isMeant = audience.length === 0 || audience.includes(caller);
      const responses = await askAs(caller, await service[format]({ audience }));
      const expected = isMeant ? { aud: audience.length === 0 ? undefined : [caller] } : INACTIVE;
      const got = isMeant
        ? responses.map((response) => ({ aud: activeMembers(response)['aud'] }))
        : responses;
      expect(got, `${caller} of ${audience}`).toEqual([expected, expected]);
    }
  });

  it('returns the whole audience without pruneAudience', async () => {
    const service = await aTestService({ pruneAudience: false });
    const token = await service[format]({ audience: ['rs2', 'rs1'] });
    expect(activeMembers(await call(service.app, { token }))['aud']).toEqual(['rs2', 'rs1']);
  });

  it('returns only the registered scope values with narrowScope', async () => {
    const service = await aTestService({ narrowScope: true });
    await service.register('rs2', { scope: `write ${ENDPOINT}` });
    const token = await service[format]({ scope: scopeOf('read write') });
    const response = await call(service.app, { token }, { authorization: basic('rs2') });
    expect(activeMembers(response)['scope']).toBe('write');
  });

  it.each(REVOCATIONS)('is inactive once its %s is revoked', async (_what, revoke) => {
    const service = await aTestService();
    const token = await service[format]({ sessionId: 's1' });
    activeMembers(await call(service.app, { token }));
    await revoke(service, token);
    for (const revoke of ['true', 'false'])
      expect(await call(service.app, { token, revoke })).toEqual(INACTIVE);
  });
});

describe('POST /token/introspect with other texts', () => {
  it('returns the same bytes for unknown, malformed, foreign and hostile texts', async () => {
    const service = await aTestService();
    const texts = [
      'x'.repeat(43),
      'x',
      ' ',
      'null',
      '{"not":""}',
      "' OR 1=1 --",
      'a.b.c',
      'eyJhbGciOiJub25lIn0.e30.',
      '\u202e\ufffe😀',
      '\n\r\t\u0001\u007f',
      'x'.repeat(8000),
      '[object Object]',
      '__proto__',
    ];
    for (const token of texts)
      expect(await call(service.app, { token }), JSON.stringify(token)).toEqual(INACTIVE);
  });
});

import { expect, it } from 'vitest';
import { activeMembers, basic, call, JSON_HEADERS, type Seen } from '../support/introspection-call.js';
import { aTestService, ENDPOINT, ISSUER, scopeOf } from '../support/test-service.js';

function denied(description: string, headers: Seen['headers'] = JSON_HEADERS): Seen {
  const body = JSON.stringify({ error: 'access_denied', error_description: description });
  return { status: 403, headers, body };
}

const CLIENT_DENIED = denied('The client is not registered to use the introspection endpoint');
const TOKEN_DENIED = denied('The access token lacks the scope of the introspection endpoint', {
  ...JSON_HEADERS,
  'www-authenticate': 'Bearer realm="token introspection", error="insufficient_scope"',
});

it('refuses a client without the grant client_credentials or the scope of the endpoint (Seed 5.2.1)', async () => {
  const service = await aTestService();
  const token = await service.identifier();
  const lacking: [string, Record<string, unknown>][] = [
    ['other-grant', { grant_types: ['authorization_code', 'refresh_token'] }],
    ['no-grant', { grant_types: [] }],
    ['no-scope', { scope: undefined }],
    ['other-scope', { scope: 'read write' }],
    ['almost', { scope: `${ENDPOINT}/ ${ENDPOINT}?a ${ISSUER} ${ENDPOINT.toUpperCase()}` }],
  ];
  for (const [id, metadata] of lacking) {
    await service.register(id, metadata);
    expect(await call(service.app, { token }, { authorization: basic(id) }), id).toEqual(CLIENT_DENIED);
  }
  await service.register('among-others', {
    grant_types: ['password', 'client_credentials'],
    scope: `a ${ENDPOINT} b`,
  });
  activeMembers(await call(service.app, { token }, { authorization: basic('among-others') }));
});

it.each(['identifier', 'jwt'] as const)(
  'refuses an access token (%s) without the scope of the endpoint',
  async (format) => {
    const service = await aTestService();
    const token = await service.identifier();
    for (const scope of ['read', `${ENDPOINT}/`, ISSUER, 'openid introspection']) {
      const authorization = `Bearer ${await service[format]({ scope: scopeOf(scope) })}`;
      expect(await call(service.app, { token }, { authorization }), scope).toEqual(TOKEN_DENIED);
    }
    // What the scope grants is the token's, whatever its client registered.
    for (const audience of [[], [ISSUER], [ENDPOINT]]) {
      const grant = { scope: scopeOf(`read ${ENDPOINT}`), audience };
      activeMembers(
        await call(service.app, { token }, { authorization: `Bearer ${await service[format](grant)}` }),
      );
    }
  },
);

it('does not use up the token that a refused caller asks about', async () => {
  const service = await aTestService();
  await service.register('no-scope', { scope: undefined });
  const token = await service.identifier();
  const refused = await call(service.app, { token, revoke: 'true' }, { authorization: basic('no-scope') });
  expect(refused).toEqual(CLIENT_DENIED);
  activeMembers(await call(service.app, { token }));
});

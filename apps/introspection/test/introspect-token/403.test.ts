import { expect, it } from 'vitest';
import { activeMembers, basic, call, JSON_HEADERS, type Seen } from '../support/introspection-call.js';
import { aTestService, ENDPOINT, ISSUER, scopeOf } from '../support/test-service.js';

function denied(description: string, headers: Seen['headers'] = JSON_HEADERS): Seen {
  const body = JSON.stringify({ error: 'access_denied', error_description: description });
  return { status: 403, headers, body };
}

const clientDenied = (lacking: string) =>
  denied(
    `The client is not registered for ${lacking}. Register it with an initial access token whose scope is client-reg:grant:client client-reg:scope:${ENDPOINT}, or have an operator update it`,
  );
const TOKEN_DENIED = denied(
  `The access token lacks scope value ${ENDPOINT}. Request one with grant type client_credentials and that scope`,
  {
    ...JSON_HEADERS,
    'www-authenticate': `Bearer realm="token introspection", error="insufficient_scope", scope="${ENDPOINT}"`,
  },
);

it('names which of the grant client_credentials and the scope of the endpoint a client lacks (introspection/API.md#callers)', async () => {
  const service = await aTestService();
  const token = await service.identifier();
  const [grant, scope] = ['grant type client_credentials', `scope value ${ENDPOINT}`];
  const lacking: [string, Record<string, unknown>, string][] = [
    ['neither', { grant_types: [], scope: 'read' }, `${grant} and ${scope}`],
    ['other-grant', { grant_types: ['authorization_code', 'refresh_token'] }, grant],
    ['no-grant', { grant_types: [] }, grant],
    ['no-scope', { scope: undefined }, scope],
    ['other-scope', { scope: 'read write' }, scope],
    ['almost', { scope: `${ENDPOINT}/ ${ENDPOINT}?a ${ISSUER} ${ENDPOINT.toUpperCase()}` }, scope],
  ];
  for (const [id, metadata, missing] of lacking) {
    await service.register(id, metadata);
    expect(await call(service.app, { token }, { authorization: basic(id) }), id).toEqual(
      clientDenied(missing),
    );
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
    // The scope of the token counts, not the registered scope of its client.
    for (const audience of [[], [ISSUER], [ENDPOINT]]) {
      const grant = { scope: scopeOf(`read ${ENDPOINT}`), audience };
      activeMembers(
        await call(service.app, { token }, { authorization: `Bearer ${await service[format](grant)}` }),
      );
    }
  },
);

it('does not consume a token for a refused caller', async () => {
  const service = await aTestService();
  await service.register('no-scope', { scope: undefined });
  const token = await service.identifier();
  const refused = await call(service.app, { token, revoke: 'true' }, { authorization: basic('no-scope') });
  expect(refused).toEqual(clientDenied(`scope value ${ENDPOINT}`));
  activeMembers(await call(service.app, { token }));
});

import { ENDPOINT_PATH } from '@vestibule/protocol/constants';
import { expect, it } from 'vitest';
import { post } from '../support/calls.js';
import { authorizationAddress, aVerifier, postForm, tokensOf } from '../support/code-flow.js';
import { createDocumentFixture } from '../support/document-fixture.js';

/** Members of a document that are URIs or lists of URIs. */
const URI_MEMBERS = [
  'redirect_uris',
  'post_logout_redirect_uris',
  'request_uris',
  'initiate_login_uri',
  'frontchannel_logout_uri',
  'backchannel_logout_uri',
  'jwks_uri',
  'sector_identifier_uri',
  'client_uri',
  'client_uri#de',
  'logo_uri',
  'logo_uri#de',
  'policy_uri',
  'tos_uri',
];

const SCRIPTS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  ' javascript:alert(1)',
  'javascript://app.example/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://app.example/x',
];

it('takes no script in any URI of a document', async () => {
  const { host, find, sql } = await createDocumentFixture();
  for (const member of URI_MEMBERS)
    for (const [index, uri] of SCRIPTS.entries()) {
      const path = `/${member.replace('#', '-')}-${index}.json`;
      const value = member.endsWith('uris') ? [uri] : uri;
      const url = host.publish(path, { application_type: 'native', [member]: value });
      await expect(find(url), `${member}: ${uri}`).rejects.toMatchObject({ reason: 'metadata' });
    }
  expect(host.requests).toHaveLength(URI_MEMBERS.length * SCRIPTS.length);
  expect(await sql('SELECT id FROM client')).toEqual([]);
});

/** The public key of the example of RFC 7517 appendix A.1. */
const KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
};
const MODULUS = Buffer.alloc(256, 0xc1).toString('base64url');

const BAD_KEYS = {
  'a symmetric key': { jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } },
  'no key': { jwks: { keys: [] } },
  'a short RSA key': {
    jwks: { keys: [{ kty: 'RSA', e: 'AQAB', n: Buffer.alloc(128, 0xc1).toString('base64url') }] },
  },
  'an RSA key with the exponent 1': { jwks: { keys: [{ kty: 'RSA', e: 'AQ', n: MODULUS }] } },
  'a point that is not on the curve': { jwks: { keys: [{ ...KEY, x: KEY.y }] } },
  'a private RSA key': { jwks: { keys: [{ kty: 'RSA', e: 'AQAB', n: MODULUS, d: MODULUS }] } },
  'keys in two places': { jwks: { keys: [KEY] }, jwks_uri: 'https://app.example/keys' },
  'more keys than anyone needs': { jwks: { keys: Array.from({ length: 101 }, () => ({ kty: 'EC' })) } },
};

it.each(Object.entries(BAD_KEYS))('takes no client with %s', async (_what, keys) => {
  const { host, find, stored } = await createDocumentFixture();
  const url = host.publish('/client.json', { token_endpoint_auth_method: 'private_key_jwt', ...keys });
  await expect(find(url)).rejects.toMatchObject({ code: 'invalid_client' });
  expect(await stored(url)).toBeUndefined();
  expect(await find(host.publish('/good.json', { jwks: { keys: [KEY] } }))).toMatchObject({
    status: 'active',
  });
});

it('keeps a client with pairwise subjects in its sector, whose document must list its redirect URIs', async () => {
  const { host, find, clock, stored } = await createDocumentFixture();
  const lists = { '/no-list': '{}', '/objects': '[{}]', '/other': '["https://other.example/cb"]' };
  const pairwise = (path: string) => ({ subject_type: 'pairwise', sector_identifier_uri: host.url(path) });
  for (const [path, body] of Object.entries(lists)) {
    host.serve(path, { body });
    await expect(find(host.publish(`${path}.json`, pairwise(path))), path).rejects.toMatchObject({
      reason: 'metadata',
    });
  }
  host.serve('/sector', { body: '["https://app.example/cb"]' });
  const url = host.publish('/client.json', pairwise('/sector'));
  const client = await find(url);
  // Its sector would be the host of its redirect URI.
  host.publish('/client.json', { subject_type: 'pairwise' });
  clock.advanceSeconds(3_600);
  await expect(find(url)).rejects.toMatchObject({
    message: 'A registered client with pairwise subjects stays in its sector.',
  });
  expect(await stored(url)).toEqual(client);
});

it('registers no document at other endpoints than those of authorization and tokens', async () => {
  const { app, host, sql } = await createDocumentFixture();
  const client_id = host.publish('/client.json');
  const direct = [
    ['/direct-authz', { client_id, scope: 'read' }],
    ['/direct-authz/sessions', { sub: 'alice', client_ids: [client_id] }],
  ] as const;
  for (const [path, body] of direct) expect((await post(app, path, body)).status, path).toBe(400);
  const { status } = await postForm(app, ENDPOINT_PATH.revocation, { client_id }, { token: 'x' });
  expect(status).toBe(401);
  expect(host.requests).toEqual([]);
  expect(await sql('SELECT url FROM client_metadata_document')).toEqual([]);
});

it('lets no cache store a response about a refused document', async () => {
  const { app, host } = await createDocumentFixture();
  const client_id = host.publish('/client.json', { client_secret: 'secret' });
  const url = authorizationAddress({ client_id }, aVerifier().challenge);
  const responses = [
    await app.inject({ url, headers: { accept: 'text/html' } }),
    await app.inject({ url, headers: { accept: 'application/json' } }),
    await postForm(app, '/token', { client_id }, { grant_type: 'client_credentials' }),
    await postForm(app, '/par', { client_id }, { response_type: 'code' }),
  ];
  for (const { headers } of responses) expect(headers['cache-control']).toBe('no-store');
});

it('deletes everything that was issued to the client of a withdrawn document', async () => {
  const { app, host, sql } = await createDocumentFixture({ METADATA_DOCUMENT_WITHDRAWN_SECONDS: '0' }, true);
  const client = { client_id: host.publish('/client.json') };
  const { body } = await tokensOf(app, client, { scope: 'openid' });
  const counts = () =>
    sql(`SELECT (SELECT count(*)::integer FROM client) AS clients, (SELECT count(*)::integer FROM refresh_token) AS tokens,
      (SELECT count(*)::integer FROM "authorization") AS authorizations,
      (SELECT count(*)::integer FROM session_client) AS sessions,
      (SELECT count(*)::integer FROM revocation_cutoff WHERE kind = 'client') AS cutoffs`);
  expect(await counts()).toEqual([{ clients: 1, tokens: 1, authorizations: 1, sessions: 1, cutoffs: 0 }]);
  host.remove('/client.json');
  await sql(`UPDATE client_metadata_document SET fresh_until = now() - interval '1 minute'`);
  const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
  expect((await postForm(app, '/token', client, refresh)).status).toBe(401);
  expect(await counts()).toEqual([{ clients: 0, tokens: 0, authorizations: 0, sessions: 0, cutoffs: 1 }]);
});

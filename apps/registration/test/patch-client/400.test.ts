import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { badRequest, JSON_HEADERS, pathOf, registered, send } from '../support/calls.js';
import { HOSTILE_BODIES, OTHER_MEDIA_TYPES } from '../support/hostile-bodies.js';

const MERGE_PATCH = 'application/merge-patch+json';

it('refuses hostile bodies, including null for the whole, and changes nothing', async () => {
  const { app, stored } = await buildTestApp();
  const client = await registered(app);
  const before = await stored(client.client_id);
  for (const token of [client.registration_access_token, MASTER])
    for (const [payload, description] of HOSTILE_BODIES)
      expect(
        await send(app, `PATCH ${pathOf(client.client_id)}`, { token, payload }),
        payload.toString().slice(0, 80),
      ).toEqual(badRequest('invalid_request', description));
  expect(await stored(client.client_id)).toEqual(before);
});

it('refuses every other media type and names the supported one (RFC 5789 section 2.2)', async () => {
  const { app, stored } = await buildTestApp();
  const client = await registered(app);
  const path = pathOf(client.client_id);
  const before = await stored(client.client_id);
  const refusal = badRequest('invalid_request', 'Content-Type must be application/merge-patch+json');
  const types = [...OTHER_MEDIA_TYPES, 'application/json', `${MERGE_PATCH}; charset=utf-16`];
  for (const token of [client.registration_access_token, MASTER])
    for (const type of types)
      expect(
        await send(app, `PATCH ${path}`, { token, body: {}, headers: { 'content-type': type } }),
        type,
      ).toEqual({ ...refusal, headers: { ...JSON_HEADERS, 'accept-patch': MERGE_PATCH } });
  // No other operation accepts a patch.
  const ofJson = badRequest('invalid_request', 'Content-Type must be application/json');
  for (const target of ['POST /clients', `PUT ${path}`, `PUT ${path}/status`]) {
    const call = { token: MASTER, body: client, headers: { 'content-type': MERGE_PATCH } };
    expect(await send(app, target, call), target).toEqual(ofJson);
  }
  expect(await stored(client.client_id)).toEqual(before);
  const call = { token: MASTER, body: {}, headers: { 'content-type': `${MERGE_PATCH}; charset=utf-8` } };
  expect((await send(app, `PATCH ${path}`, call)).status).toBe(200);
});

it('accepts issued members only with their current values', async () => {
  const { app, stored } = await buildTestApp();
  const client = await registered(app);
  const foreign = await registered(app);
  const before = await stored(client.client_id);
  const sentences: Readonly<Record<string, string>> = {
    client_id: 'client_id: must be the identifier of the client',
  };
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    client_id: [foreign.client_id, null, '', {}],
    client_secret: [foreign.client_secret, '', {}],
    client_secret_expires_at: [1],
    registration_access_token: [foreign.registration_access_token, MASTER],
    registration_client_uri: [foreign.registration_client_uri],
    client_id_issued_at: [0],
  };
  for (const [member, values] of Object.entries(wrong))
    for (const value of values) {
      const sentence = sentences[member] ?? `${member}: must be absent or have its current value`;
      for (const token of [client.registration_access_token, MASTER])
        expect(
          await send(app, `PATCH ${pathOf(client.client_id)}`, { token, body: { [member]: value } }),
          `${member} ${JSON.stringify(value)}`,
        ).toEqual(badRequest('invalid_request', sentence));
    }
  expect(await stored(client.client_id)).toEqual(before);
});

it('refuses everything that an update would refuse, together with the other registered members', async () => {
  const { app, stored } = await buildTestApp();
  const client = await registered(app, { data: { a: 1 } });
  const before = await stored(client.client_id);
  const bad: readonly (readonly [string, string | undefined, Readonly<Record<string, unknown>>])[] = [
    ['invalid_redirect_uri', undefined, { redirect_uris: null }],
    ['invalid_redirect_uri', undefined, { redirect_uris: ['http://app.example/cb'] }],
    [
      'invalid_client_metadata',
      'response_types: needs code with authorization_code, token and id_token with implicit',
      { grant_types: ['client_credentials'] },
    ],
    [
      'invalid_client_metadata',
      'grant_types: needs a response type with code for authorization_code, with token or id_token for implicit',
      { response_types: [] },
    ],
    ['invalid_client_metadata', 'data: must be an object', { data: [1] }],
    ['invalid_client_metadata', 'data: must be an object', { data: 'text' }],
    ['invalid_client_metadata', undefined, { client_name: { de: 'Laden' } }],
    ['invalid_software_statement', undefined, { software_statement: 'e30.e30.e30' }],
    ['invalid_request', undefined, { preferred_client_id: 'another' }],
    ['invalid_request', undefined, { preferred_client_secret: 's'.repeat(32) }],
  ];
  for (const [error, sentence, body] of bad) {
    const response = await send(app, `PATCH ${pathOf(client.client_id)}`, { token: MASTER, body });
    expect({ status: response.status, headers: response.headers }, response.body).toEqual({
      status: 400,
      headers: JSON_HEADERS,
    });
    expect(JSON.parse(response.body)).toEqual({
      error,
      error_description: sentence ?? expect.any(String),
    });
  }
  expect(await stored(client.client_id)).toEqual(before);
});

it('names the remedy for a registered member that excludes one of the patch, and removes none by itself', async () => {
  const { app, stored } = await buildTestApp();
  const jwksUri = 'https://app.example/jwks';
  for (const [registeredMetadata, given] of [
    [{ jwks_uri: jwksUri }, { jwks: { keys: [] } }],
    [{ jwks: { keys: [] } }, { jwks_uri: jwksUri }],
  ]) {
    const client = await registered(app, registeredMetadata);
    const before = await stored(client.client_id);
    const [there, wanted] = [Object.keys(registeredMetadata ?? {})[0] ?? '', Object.keys(given ?? {})[0]];
    const patch = (body: unknown) => send(app, `PATCH ${pathOf(client.client_id)}`, { token: MASTER, body });
    expect(await patch(given)).toEqual(
      badRequest(
        'invalid_client_metadata',
        `${wanted}: conflicts with the registered ${there}; the patch must set ${there} to null`,
      ),
    );
    expect((await patch({ ...registeredMetadata, ...given })).status).toBe(400);
    expect(await stored(client.client_id)).toEqual(before);
    expect((await patch({ ...given, [there]: null })).status).toBe(200);
  }
});

it('limits a registration to the size of an update body', async () => {
  const { app, stored } = await buildTestApp();
  const { client_id: id } = await registered(app);
  const patch = (body: unknown) => send(app, `PATCH ${pathOf(id)}`, { token: MASTER, body });
  const tooLarge = badRequest('invalid_request', 'The patched registration is too large.');
  const uris = (path: string) =>
    Array.from({ length: 25 }, (_, i) => `https://app.example/${path}${i}/${'x'.repeat(1_500)}`);
  const halves = [{ redirect_uris: uris('cb') }, { post_logout_redirect_uris: uris('out') }];
  expect((await patch(halves[0])).status).toBe(200);
  const before = await stored(id);
  expect(await patch(halves[1])).toEqual(tooLarge);
  expect(await stored(id)).toEqual(before);
  expect(await patch({ data: { text: 'x'.repeat(16_400) } })).toEqual(
    badRequest('invalid_client_metadata', 'data: must not be larger than 16384 bytes of JSON'),
  );
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
  expect(await patch({ data: nested(9) })).toEqual(
    badRequest(
      'invalid_client_metadata',
      'data: must not be nested deeper than 8 levels, nor hold control characters or numbers beyond 2^53',
    ),
  );
});

import type { EpochSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER, NOW } from '../support/build-test-app.js';
import { badRequest, issued, JSON_HEADERS, post, send } from '../support/calls.js';

it('refuses contradictory requests and unknown clients with a specific description, and issues nothing', async () => {
  const { app, register, store, sql } = await buildTestApp();
  const { client_id: id } = await register();
  const client = await store.database.clients.find(id);
  if (client === undefined) throw new TypeError('not registered');
  const past = NOW as EpochSeconds;
  await store.database.clients.create({ ...client, id: 'expired' as typeof id, expiresAt: past });
  await store.database.clients.create({ ...client, id: 'pending' as typeof id, status: 'pending' });
  const valid = { client_id: id, scope: 'read' };
  const noClient = 'client_id: is not a registered client';
  const refusals: readonly (readonly [description: string, body: Readonly<Record<string, unknown>>])[] = [
    ['client_id: is required', { scope: 'read' }],
    [noClient, { ...valid, client_id: 'unknown' }],
    [noClient, { ...valid, client_id: `${id} ` }],
    [noClient, { ...valid, client_id: 'expired' }],
    [noClient, { ...valid, client_id: 'pending' }],
    ['scope: must be space-separated scope values', { ...valid, scope: 'a  b' }],
    ['scope: must be space-separated scope values', { ...valid, scope: ' ' }],
    ['scope: must be space-separated scope values', { ...valid, scope: 'a"b' }],
    [
      'scope: client-reg values cannot be mixed with other scope values',
      { ...valid, scope: 'read client-reg' },
    ],
    [
      'scope: client-reg values cannot be mixed with other scope values',
      { ...valid, scope: 'client-reg client-regs' },
    ],
    [
      'scope: client-reg values cannot be mixed with other scope values',
      { scope: 'client-reg:data client-reg:scope:' },
    ],
    ['uses: only allowed for an initial access token', { ...valid, uses: 1 }],
    ['label: only allowed for an initial access token', { ...valid, label: '' }],
    ['metadata: only allowed for an initial access token', { ...valid, metadata: {} }],
    ['nbf: must be before the expiry of the token', { ...valid, nbf: NOW + 600 }],
    ['claims: must not contain members that the protocol defines', { ...valid, claims: { sub: 'bob' } }],
    ['claims: must not contain members that the protocol defines', { ...valid, claims: { active: false } }],
    [
      'The token would exceed 8192 characters; request an identifier-based one',
      { ...valid, format: 'jwt', dat: { text: 'x'.repeat(8_192) } },
    ],
  ];
  for (const [description, body] of refusals)
    expect(await post(app, '/direct-authz', body), JSON.stringify(body).slice(0, 120)).toEqual(
      badRequest(description),
    );
  expect(await sql('SELECT count(*)::int AS count FROM access_token')).toEqual([{ count: 0 }]);
});

it('refuses unknown members, and known ones of the wrong type or size', async () => {
  const { app, register, sql } = await buildTestApp();
  const { client_id: id } = await register();
  const valid = { client_id: id, scope: 'read' };
  await issued(app, valid);
  const bad: readonly (readonly [member: string, values: readonly unknown[]])[] = [
    ['scope', [null, 1, ['read'], {}, 'x'.repeat(8_193)]],
    ['client_id', [null, 1, '', { not: '' }, 'x'.repeat(2_049)]],
    ['sub', [null, 1, '', [], { not: '' }, 'x'.repeat(256)]],
    ['sid', [null, 1, '', 'x'.repeat(256)]],
    ['username', [null, 1, '', 'x'.repeat(2_049)]],
    ['aud', [null, 'rs1', {}, [], [1], [''], [null], Array(101).fill('x')]],
    ['resource', [null, 'rs1', {}, [], [1], [''], Array(11).fill('x')]],
    ['expires_in', [null, 0, -1, 1.5, '600', 31_536_001, 1e300]],
    ['format', [null, '', 'JWT', 'opaque', ['jwt']]],
    ['nbf', [null, -1, 0.5, '0', 253_402_300_800]],
    ['nonce', [null, 1, '', [], 'x'.repeat(1_025)]],
    ['auth_time', [null, -1, 0.5, '0', 253_402_300_800]],
    ['acr', [null, 1, '', ['x'], 'x'.repeat(256)]],
    ['amr', [null, 'pwd', {}, [], [1], [''], Array(21).fill('pwd'), ['x'.repeat(65)]]],
    ['azp', [null, 1, '', [id], 'x'.repeat(2_049)]],
    ...['cnf', 'act', 'dat', 'claims'].map((name) => [name, [null, 'x', 1, [], [{}]]] as const),
    ...['audience', 'iss', 'exp', 'jti', 'Sub', 'constructor', 'client_secret'].map(
      (name) => [name, ['x']] as const,
    ),
  ];
  for (const [member, values] of bad) {
    for (const value of values) {
      const { status, headers, body } = await post(app, '/direct-authz', { ...valid, [member]: value });
      expect({ status, headers }, `${member} ${body}`).toEqual({ status: 400, headers: JSON_HEADERS });
      expect(JSON.parse(body), member).toEqual({
        error: 'invalid_request',
        error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
      });
    }
  }
  expect(await sql('SELECT count(*)::int AS count FROM access_token')).toEqual([{ count: 1 }]);
});

it('refuses malformed bodies and other media types', async () => {
  const { app } = await buildTestApp();
  const payloads = [
    '',
    '{',
    'null',
    '[]',
    '1',
    '{"scope":"a","scope":"b"}',
    '{"__proto__":{}}',
    '{"sub":"\\u0000"}',
    '{"sub":"alice","dat":{"id":9007199254740993}}',
  ];
  for (const url of ['/direct-authz', '/direct-authz/revoke']) {
    for (const payload of [...payloads, Buffer.from('{"sub":"\xff"}', 'latin1'), '{"a":'.repeat(5_000)]) {
      const response = await send(app, `POST ${url}`, { token: MASTER, payload });
      expect(response.status, payload.toString().slice(0, 60)).toBe(400);
      expect(JSON.parse(response.body).error).toBe('invalid_request');
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
    ]) {
      const headers = { 'content-type': type };
      const response = await send(app, `POST ${url}`, { token: MASTER, body: { scope: 'read' }, headers });
      expect(response.status, type).toBe(400);
    }
  }
});

// PostgreSQL refuses index entries above some 2,700 bytes: a longer identifier must not become an internal error.
it('accepts identifiers up to the documented length, in any script', async () => {
  const { app, register } = await buildTestApp();
  const { client_id: id } = await register();
  const longest = Array.from({ length: 255 }, (_, index) => String.fromCodePoint(0x1_0000 + index * 97)).join(
    '',
  );
  const ids = Array.from({ length: 2_048 }, (_, index) =>
    String.fromCharCode(0x21 + ((index * 7919) % 94)),
  ).join('');
  await issued(app, { client_id: id, scope: 'read', sub: longest, sid: longest, username: ids, aud: [ids] });
  for (const name of [{ sub: longest }, { sid: longest }, { client_id: ids }])
    expect((await post(app, '/direct-authz/revoke', name)).status, Object.keys(name).join()).toBe(204);
});

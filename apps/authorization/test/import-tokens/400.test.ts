import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER, NOW } from '../support/build-test-app.js';
import { badRequest, JSON_HEADERS, post, send } from '../support/calls.js';
import { anImport, imported, importedLines, sendImports } from '../support/imports.js';

const MEMBERS =
  'token, kind, client_id, sub, username, scope, sid, iat, exp, aud, nbf, cnf, act, dat, claims';
const text = (most: number, least = 1) =>
  `must be a string of ${least} to ${most} characters without control characters`;
const TIME = 'must be a whole number from 0 to 253402300799';

/** Deviations of an entry, and the problem of its member. */
const PROBLEMS: readonly (readonly [deviation: Readonly<Record<string, unknown>>, problem: string])[] = [
  [{ token: undefined }, 'token: is missing'],
  [{ token: null }, `token: ${text(8192)}`],
  [{ token: '' }, `token: ${text(8192)}`],
  [{ token: ['x'] }, `token: ${text(8192)}`],
  [{ token: 'x'.repeat(8193) }, `token: ${text(8192)}`],
  [
    { token: 'x'.repeat(1_025) },
    'token: must have 22 to 1024 characters of a bearer token (RFC 6750 section 2.1) with at most one dot',
  ],
  [
    { token: 'too short' },
    'token: must have 22 to 1024 characters of a bearer token (RFC 6750 section 2.1) with at most one dot',
  ],
  [
    { token: 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln' },
    'token: is a JWT, which is verified by its signature and cannot be imported',
  ],
  [{ kind: undefined }, 'kind: is missing'],
  [{ kind: 'id' }, 'kind: must be access or refresh'],
  [{ client_id: undefined }, 'client_id: is missing'],
  [{ client_id: ' a' }, 'client_id: is not a client identifier'],
  [{ client_id: 'unknown' }, 'client_id: is not a registered client'],
  [{ client_id: { not: '' } }, `client_id: ${text(2048)}`],
  [{ sub: 'x'.repeat(256) }, `sub: ${text(255)}`],
  [{ sub: 1 }, `sub: ${text(255)}`],
  [{ username: '' }, `username: ${text(2048)}`],
  [{ scope: 'a  b' }, 'scope: must be space-separated scope values'],
  [
    { scope: 'client-reg:data' },
    'scope: must not contain client-reg values, which are for initial access tokens',
  ],
  [{ scope: ['read'] }, `scope: ${text(8192, 0)}`],
  [{ sid: '' }, `sid: ${text(255)}`],
  [{ iat: undefined }, 'iat: is missing'],
  [{ iat: '1' }, `iat: ${TIME}`],
  [{ iat: 1.5 }, `iat: ${TIME}`],
  [{ iat: NOW + 31 }, 'iat: lies in the future'],
  [{ exp: undefined }, 'exp: is missing'],
  [{ exp: -1 }, `exp: ${TIME}`],
  [{ exp: NOW }, 'exp: has passed'],
  [{ exp: NOW - 61 }, 'exp: must be after iat'],
  [{ exp: NOW - 60 + 31_536_001 }, 'exp: must be at most 31536000 seconds after iat'],
  [{ nbf: NOW + 540 }, 'nbf: must be before exp'],
  [{ nbf: true }, `nbf: ${TIME}`],
  [{ aud: [] }, `aud: must be an array of 1 to 100 values, each ${text(2048).slice(8)}`],
  [{ aud: 'api' }, `aud: must be an array of 1 to 100 values, each ${text(2048).slice(8)}`],
  [{ aud: ['api', ''] }, `aud: must be an array of 1 to 100 values, each ${text(2048).slice(8)}`],
  [{ cnf: 'x' }, 'cnf: must be a JSON object'],
  [{ act: [] }, 'act: must be a JSON object'],
  [{ dat: null }, 'dat: must be a JSON object'],
  [{ claims: 1 }, 'claims: must be a JSON object'],
  [{ claims: { active: true } }, 'claims: must not contain members that the protocol defines'],
];

it('names the entry, the member and the rule, and stores nothing, in either form', async () => {
  const { app, register, sql } = await buildTestApp();
  const { client_id: id } = await register();
  for (const [deviation, problem] of PROBLEMS) {
    const entry = anImport(id, deviation);
    const tokens = [anImport(id), anImport(id), entry, anImport(id)];
    expect(await sendImports(app, tokens), problem).toEqual(badRequest(`tokens[2].${problem}`));
    expect(await importedLines(app, [entry]), problem).toEqual([
      { line: 1, error: 'invalid_request', error_description: problem },
    ]);
  }
  expect(await sql('SELECT FROM imported_token UNION ALL SELECT FROM access_token')).toEqual([]);
});

it('explains entries that are no object, or have a member that is not known', async () => {
  const { app, register } = await buildTestApp();
  const { client_id: id } = await register();
  for (const entry of [null, 1, 'x', [], [anImport(id)], true]) {
    expect(await sendImports(app, [anImport(id), entry])).toEqual(
      badRequest('tokens[1]: must be a JSON object'),
    );
    expect(await importedLines(app, [entry])).toMatchObject([
      { error_description: 'The line must be a JSON object' },
    ]);
  }
  for (const name of ['clientId', 'jti', 'toString', 'constructor']) {
    const entry = anImport(id, { [name]: 'x' });
    const problem = `has an unknown member; the members are ${MEMBERS}`;
    expect(await sendImports(app, [entry]), name).toEqual(badRequest(`tokens[0]: ${problem}`));
    expect(await importedLines(app, [entry])).toMatchObject([{ error_description: `The line ${problem}` }]);
  }
});

it('refuses a token that occurs twice in a JSON request, whatever its facts', async () => {
  const { app, register } = await buildTestApp();
  const { client_id: id } = await register();
  const [entry, other] = [anImport(id), anImport(id)];
  for (const again of [entry, { ...entry, scope: 'write' }])
    expect(await sendImports(app, [other, entry, again])).toEqual(
      badRequest('tokens[2].token: is also in tokens[1]'),
    );
});

it('refuses other facts than those that were sent before, and changes nothing', async () => {
  const { app, register, sql } = await buildTestApp();
  const { client_id: id } = await register();
  const { client_id: other } = await register();
  const first = anImport(id, { aud: ['api'] });
  await imported(app, [first]);
  const facts = () => sql('SELECT client_id, subject, scope, audience, expires_at FROM access_token');
  const before = await facts();
  const changes = [
    { scope: 'read write' },
    { sub: 'bob' },
    { sub: undefined },
    { client_id: other },
    { aud: ['api', 'other'] },
    { exp: NOW + 541 },
    { iat: NOW - 59 },
    { dat: {} },
    { sid: 's' },
  ];
  for (const change of changes) {
    const problem = 'token: was imported before with other values, which stay';
    expect(await sendImports(app, [anImport(id), { ...first, ...change }])).toEqual(
      badRequest(`tokens[1].${problem}`),
    );
    expect(await importedLines(app, [{ ...first, ...change }])).toMatchObject([
      { error_description: problem },
    ]);
  }
  expect(await facts()).toEqual(before);
});

it('refuses a session of another end-user', async () => {
  const { app, register } = await buildTestApp();
  const { client_id: id } = await register();
  const { body } = await post(app, '/direct-authz/sessions', { sub: 'alice', client_ids: [id] });
  const { sid, clients } = JSON.parse(body);
  for (const name of [sid, clients[id].sid])
    expect(await sendImports(app, [anImport(id, { sub: 'bob', sid: name })])).toEqual(
      badRequest('tokens[0].sid: is a session of another end-user than sub'),
    );
  expect(await imported(app, [anImport(id, { sid })])).toMatchObject({ stored: 1 });
});

it('refuses bodies of another form', async () => {
  const { app, register } = await buildTestApp();
  const { client_id: id } = await register();
  const list = badRequest('tokens: must be an array of 1 to 1000 objects');
  const bodies: [unknown, ReturnType<typeof badRequest>][] = [
    [{}, list],
    [{ tokens: [] }, list],
    [{ tokens: anImport(id) }, list],
    [{ tokens: Array(1_001).fill(anImport(id)) }, list],
    [{ tokens: Array(20_000).fill(1) }, list],
    [[anImport(id)], badRequest('The body must be a JSON object')],
    [{ tokens: [anImport(id)], client_id: id }, badRequest('The body contains an unknown member')],
  ];
  for (const [body, response] of bodies)
    expect(await post(app, '/direct-authz/tokens', body)).toEqual(response);
  const payload = Buffer.alloc(4 * 1024 * 1024 + 1, ' ');
  expect(await send(app, 'POST /direct-authz/tokens', { token: MASTER, payload })).toEqual(
    badRequest('The body is too large'),
  );
});

type Deviation = Readonly<Record<string, unknown>>;

const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)]);

it('applies the limits of a line to each entry of a JSON body, and stores nothing of a request beyond them', async () => {
  const { app, register, sql } = await buildTestApp();
  const { client_id: id } = await register();
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 1]));
  const long = 'x'.repeat(16_384);
  const within: Deviation[] = [
    { dat: { a: nested(14) } },
    { dat: members(491) },
    { claims: { a: Array(100).fill(1) } },
    { dat: { a: long, b: long, c: long } },
  ];
  const beyond: [Deviation, string][] = [
    [{ dat: { a: nested(15) } }, 'cannot be read: The JSON text is nested too deeply'],
    [{ act: members(501) }, 'cannot be read: The JSON text has too many members'],
    [{ claims: { a: Array(101).fill(1) } }, 'cannot be read: An array in the JSON text is too long'],
    [{ cnf: { a: `${long}x` } }, 'cannot be read: A string in the JSON text is too long'],
    [{ dat: { a: long, b: long, c: long, d: long } }, 'must have at most 65536 bytes'],
    [{ aud: Array.from({ length: 100 }, () => 'x'.repeat(1_000)) }, 'must have at most 65536 bytes'],
  ];
  for (const [deviation, problem] of beyond) {
    const entry = anImport(id, deviation);
    // Limits that do not depend on the number of entries are those of the whole body.
    const isOfBody = /nested|string/.test(problem);
    expect(await sendImports(app, [anImport(id), entry]), problem).toEqual(
      badRequest(isOfBody ? problem.replace('cannot be read: ', '') : `tokens[1]: ${problem}`),
    );
    expect(await importedLines(app, [entry]), problem).toMatchObject([
      { error_description: `The line ${problem}` },
    ]);
  }
  expect(await sql('SELECT FROM imported_token UNION ALL SELECT FROM access_token')).toEqual([]);
  const entries = within.map((deviation) => anImport(id, deviation));
  expect(await imported(app, entries)).toMatchObject({ stored: within.length });
  for (const { result } of await importedLines(app, entries)) expect(result).toBe('unchanged');
});

it('takes application/json and application/x-ndjson, and no other media type', async () => {
  const { app } = await buildTestApp();
  for (const type of [
    'application/ndjson',
    'application/jsonl',
    'text/plain',
    'application/x-www-form-urlencoded',
  ])
    expect(
      await send(app, 'POST /direct-authz/tokens', {
        token: MASTER,
        payload: '{}',
        headers: { 'content-type': type },
      }),
    ).toEqual(badRequest('Content-Type must be application/json or application/x-ndjson'));
});

it('responds with 200 or 400 to any value of any member, and never with an internal error', async () => {
  const { app, register } = await buildTestApp();
  const { client_id: id } = await register();
  const names = MEMBERS.split(', ');
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.integer(),
    fc.constantFrom(NOW, NOW + 1, NOW - 1, 253_402_300_800, 'a'.repeat(64), id),
  );
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 }), async (deviation) => {
      const { status, headers, body } = await sendImports(app, [anImport(id, deviation)]);
      expect([200, 400], body).toContain(status);
      expect(headers).toEqual(JSON_HEADERS);
    }),
    { numRuns: 300 },
  );
});

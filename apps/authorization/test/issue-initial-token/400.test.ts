import { expect, it } from 'vitest';
import { buildTestApp, ISSUER, NOW } from '../support/build-test-app.js';
import { badRequest, JSON_HEADERS, post } from '../support/calls.js';

it('refuses members that are not allowed for such a token, and issues nothing', async () => {
  const { app, register, sql } = await buildTestApp();
  const { client_id: id } = await register();
  const misplaced: Readonly<Record<string, unknown>> = {
    client_id: id,
    sub: 'alice',
    username: 'alice',
    nbf: NOW,
    act: {},
    dat: {},
    claims: {},
    sid: 'session-1',
    nonce: 'n',
    auth_time: NOW,
    acr: '1',
    amr: ['pwd'],
    azp: id,
  };
  for (const [member, value] of Object.entries(misplaced))
    expect(await post(app, '/direct-authz', { scope: 'client-reg', [member]: value }), member).toEqual(
      badRequest(`${member}: not allowed for an initial access token`),
    );
  for (const aud of [['https://other.example'], [ISSUER, 'rs1'], [`${ISSUER}/`]])
    expect(await post(app, '/direct-authz', { scope: 'client-reg', aud })).toEqual(
      badRequest('aud: must be the issuer or the registration endpoint'),
    );
  const bad = {
    uses: [0, -1, 1.5, '1', null, 1_000_001],
    label: ['x'.repeat(256), 1],
    metadata: [[], 'x', null],
  };
  for (const [member, values] of Object.entries(bad)) {
    for (const value of values) {
      const { status, headers } = await post(app, '/direct-authz', { scope: 'client-reg', [member]: value });
      expect({ status, headers }, `${member} ${value}`).toEqual({ status: 400, headers: JSON_HEADERS });
    }
  }
  expect(await sql('SELECT count(*)::int AS count FROM initial_access_token')).toEqual([{ count: 0 }]);
});

it('refuses a template that no registration could use, and issues nothing', async () => {
  const { app, sql } = await buildTestApp();
  const cannot = (what: string) => badRequest(`The template cannot be used: ${what}`);
  const lacks = (what: string) => badRequest(`The scope does not permit a template with ${what}`);
  const refused = [
    [{ client_name: 5 }, cannot('client_name: must be a string of 1 to 2048 characters')],
    [{ data: 'x' }, cannot('data: must be an object')],
    [{ scope: 'read' }, lacks('these scope values')],
    [{ scope: 'write read' }, lacks('these scope values')],
    [{ grant_types: ['client_credentials'] }, lacks('these grant types')],
    [{ data: {} }, lacks('data')],
    [{ preferred_client_id: 'kit' }, lacks('a preferred client identifier')],
    [{ preferred_client_secret: 'x'.repeat(43) }, lacks('a preferred client secret')],
  ] as const;
  for (const [metadata, response] of refused) {
    const request = { scope: 'client-reg:grant:code client-reg:scope:write', metadata };
    expect(await post(app, '/direct-authz', request), JSON.stringify(metadata)).toEqual(response);
  }
  expect(await sql('SELECT count(*)::int AS count FROM initial_access_token')).toEqual([{ count: 0 }]);
});

it('refuses to bind the token to anything that cannot be proved at registration', async () => {
  const { app, sql } = await buildTestApp();
  const thumbprint = 'A'.repeat(43);
  for (const cnf of [
    {},
    { 'x5t#S256': 5 },
    { 'x5t#S256': 'x' },
    { 'x5t#S256': `${thumbprint}=` },
    { jkt: thumbprint },
    { 'x5t#S256': thumbprint, jkt: thumbprint },
  ])
    expect(await post(app, '/direct-authz', { scope: 'client-reg', cnf }), JSON.stringify(cnf)).toEqual(
      badRequest('cnf: must be the x5t#S256 of a certificate for an initial access token'),
    );
  expect(await sql('SELECT count(*)::int AS count FROM initial_access_token')).toEqual([{ count: 0 }]);
});

// A misspelt value must not grant anything.
it('treats values outside the grammar as ordinary scope values, which need a client', async () => {
  const { app } = await buildTestApp();
  for (const scope of [
    'client-regs',
    'Client-Reg',
    'client-reg:',
    'client-reg:grant',
    'client-reg:grant:codex',
  ])
    expect(await post(app, '/direct-authz', { scope }), scope).toEqual(badRequest('client_id: is required'));
});

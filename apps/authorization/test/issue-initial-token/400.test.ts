import { expect, it } from 'vitest';
import { buildTestApp, ISSUER, NOW } from '../support/build-test-app.js';
import { badRequest, JSON_HEADERS, post } from '../support/calls.js';

it('refuses what such a token cannot carry, and issues nothing', async () => {
  const { app, register, ask } = await buildTestApp();
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
  };
  for (const [member, value] of Object.entries(misplaced))
    expect(await post(app, '/direct-authz', { scope: 'client-reg', [member]: value }), member).toEqual(
      badRequest(`An initial access token cannot carry ${member}`),
    );
  for (const aud of [['https://other.example'], [ISSUER, 'rs1'], [`${ISSUER}/`]])
    expect(await post(app, '/direct-authz', { scope: 'client-reg', aud })).toEqual(
      badRequest('aud must be the issuer or the registration endpoint'),
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
  expect(await ask('SELECT count(*)::int AS count FROM initial_access_token')).toEqual([{ count: 0 }]);
});

// A near miss that was taken for a right would be one.
it('takes values outside the grammar for ordinary scope values, which need a client', async () => {
  const { app } = await buildTestApp();
  for (const scope of [
    'client-regs',
    'Client-Reg',
    'client-reg:',
    'client-reg:grant',
    'client-reg:grant:codex',
  ])
    expect(await post(app, '/direct-authz', { scope }), scope).toEqual(badRequest('client_id is missing'));
});

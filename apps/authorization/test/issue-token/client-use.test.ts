import { registerClient } from '@vestibule/clients/registration';
import { OPEN_SCOPES } from '@vestibule/scopes';
import { expect, it } from 'vitest';
import { buildTestApp, NOW } from '../support/build-test-app.js';
import { issued } from '../support/calls.js';

// A client that end-users log in to must not expire as unused.
it.each(['identifier', 'jwt'])(
  'makes an open registration permanent once it receives a token (%s)',
  async (format) => {
    const { app, sql, registration } = await buildTestApp();
    const body = { redirect_uris: ['https://app.example/cb'] };
    const authority = { kind: 'anonymous', grantedScopes: OPEN_SCOPES } as const;
    const openRegistrations = { ...registration.settings.openRegistrations, unusedLifetimeSeconds: 86_400 };
    const deps = { ...registration, settings: { ...registration.settings, openRegistrations } };
    const { information } = await registerClient(deps, { authority, body });
    const state = () =>
      sql(`SELECT extract(epoch FROM expires_at)::int AS ends, extract(epoch FROM last_used_at)::int AS used
      FROM client`);
    expect(await state()).toEqual([{ ends: NOW + 86_400, used: null }]);
    await issued(app, { client_id: information.client_id, scope: 'read', format });
    await expect.poll(state, { timeout: 60_000 }).toEqual([{ ends: null, used: NOW }]);
  },
);

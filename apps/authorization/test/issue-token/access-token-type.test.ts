import { decodeProtectedHeader } from 'jose';
import { expect, it } from 'vitest';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import { issued } from '../support/calls.js';
import { postForm } from '../support/code-flow.js';

const MACHINE = { grant_types: ['client_credentials'], response_types: [], redirect_uris: [] };

/** A self-contained token from each endpoint that issues one. */
async function tokens(settings: Readonly<Record<string, string>>) {
  const { app, register } = await buildTestApp(settings, false, true);
  const client = await register({ ...MACHINE, scope: 'read' });
  await register({ ...MACHINE, scope: `${ISSUER}/token/introspect`, preferred_client_id: 'api' });
  const direct = await issued(app, { client_id: client.client_id, scope: 'read', format: 'jwt' });
  const form = { grant_type: 'client_credentials', resource: `${ISSUER}/clients/api` };
  const { body } = await postForm(app, '/token', client, form);
  return [direct.access_token, body.access_token] as const;
}

it.each([
  ['at+jwt', {}],
  ['at+jwt', { ACCESS_TOKEN_TYP: 'at+jwt' }],
  ['JWT', { ACCESS_TOKEN_TYP: 'JWT' }],
])(
  'issues self-contained tokens of the type %s, directly and at the token endpoint (%o)',
  async (typ, settings) => {
    for (const token of await tokens(settings)) expect(decodeProtectedHeader(token).typ).toBe(typ);
  },
);

import { expect, it } from 'vitest';
import { buildTestApp, ISSUER, MASTER } from '../support/build-test-app.js';
import { information, insufficientScope, pathOf, registered, send } from '../support/calls.js';

const PLAIN = {
  redirect_uris: ['https://app.example/cb'],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'client_secret_basic',
};
const GRANT = { grant_types: ['authorization_code', 'client_credentials'] };
const SCOPE = { scope: `${ISSUER}/token/introspect` };
const DATA = { data: { tier: 'gold' } };

/** The two ways in which the master token removes everything again. */
const WITHDRAWALS = {
  PUT: PLAIN,
  PATCH: { grant_types: ['authorization_code'], scope: null, data: null },
};

it.each(Object.entries(WITHDRAWALS))(
  'ends scopes granted by the master token with the %s that removes what needed them',
  async (method, withdrawal) => {
    const { app, initialToken, stored } = await buildTestApp();
    const client = await registered(app, PLAIN, await initialToken('client-reg:grant:code'));
    const path = pathOf(client.client_id);
    const byMaster = async (verb: string, members: object) => {
      const body = { client_id: client.client_id, ...members };
      return information(await send(app, `${verb} ${path}`, { token: MASTER, body }));
    };
    await byMaster('PUT', { ...PLAIN, ...GRANT, ...SCOPE, ...DATA });
    const { registration_access_token: token } = await byMaster(method, withdrawal);
    const before = await stored(client.client_id);
    for (const [what, members] of [
      ['these grant types', GRANT],
      ['these scope values', SCOPE],
      ['data', DATA],
    ] as const) {
      const refusal = insufficientScope(`The access token does not permit registering ${what}.`);
      expect(await send(app, `PATCH ${path}`, { token, body: members })).toEqual(refusal);
      const body = { client_id: client.client_id, ...PLAIN, ...members };
      expect(await send(app, `PUT ${path}`, { token, body })).toEqual(refusal);
    }
    expect(await stored(client.client_id)).toEqual(before);
    information(await send(app, `PATCH ${path}`, { token, body: { client_name: 'Own' } }));
  },
);

import { type ClientId, nowSeconds } from '@vestibule/protocol';
import type { Environment } from '@vestibule/service/settings';
import { describe, expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { information, pathOf, registered, send } from '../support/calls.js';

const CALLBACK = 'https://app.example/cb';

/** The status of one registration with these settings. */
async function statusUnder(settings: Environment, body: Readonly<Record<string, unknown>>): Promise<number> {
  const { app } = await buildTestApp(settings);
  const call = { token: MASTER, body: { redirect_uris: [CALLBACK], ...body } };
  return (await send(app, 'POST /clients', call)).status;
}

/** One registration with these settings: with or without the master token. */
async function sent(
  settings: Environment,
  body: Readonly<Record<string, unknown>>,
  token: string | null = MASTER,
) {
  const { app } = await buildTestApp(settings);
  const response = await send(app, 'POST /clients', { ...(token !== null && { token }), body });
  return { status: response.status, body: JSON.parse(response.body || '{}') };
}

describe('the settings of the service', () => {
  it('let web clients have redirect URIs on loopback addresses, for development', async () => {
    const body = { application_type: 'web', redirect_uris: ['http://localhost:3000/cb'] };
    expect(await statusUnder({}, body)).toBe(400);
    expect(await statusUnder({ ALLOW_LOOPBACK_REDIRECT_URIS: 'true' }, body)).toBe(200);
  });

  it('exempt the listed hosts from https, and no others', async () => {
    const settings = { EGRESS_ALLOW_HOSTS: 'localhost:4000' };
    const body = { backchannel_logout_uri: 'http://localhost:4000/logout' };
    expect(await statusUnder({}, body)).toBe(400);
    expect(await statusUnder(settings, body)).toBe(200);
    expect(await statusUnder(settings, { backchannel_logout_uri: 'http://localhost:4001/logout' })).toBe(400);
  });

  it('determine which grants can be registered, also with the master token', async () => {
    const settings = { REGISTRABLE_GRANT_TYPES: 'authorization_code,refresh_token' };
    expect(await statusUnder(settings, { grant_types: ['refresh_token'] })).toBe(200);
    expect(await statusUnder(settings, { grant_types: ['password'] })).toBe(400);
  });

  it('limit the length of a scope, and are named in the refusal', async () => {
    const body = { redirect_uris: [CALLBACK], scope: 's'.repeat(8_192) };
    const refused = await sent({}, { ...body, scope: 's'.repeat(2_049) });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_client_metadata',
        error_description:
          'scope: must be a string of at most 2048 characters (CLIENT_SCOPE_MAX_LENGTH of the server)',
      },
    });
    expect(await statusUnder({}, { scope: 's'.repeat(2_048) })).toBe(200);
    const settings = { CLIENT_SCOPE_MAX_LENGTH: '8192' };
    expect(await sent(settings, body)).toMatchObject({ status: 200, body: { scope: body.scope } });
    expect(await statusUnder(settings, { scope: 's'.repeat(8_193) })).toBe(400);
    expect(await statusUnder({ CLIENT_SCOPE_MAX_LENGTH: '10' }, { scope: 's'.repeat(11) })).toBe(400);
  });

  it('permit extension grant types with a granted scope, and without a token if they are listed', async () => {
    const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
    const body = { grant_types: [exchange] };
    expect(await sent({}, body)).toMatchObject({
      status: 400,
      body: { error_description: expect.stringMatching(/grant_types\[0\]: .*REGISTRABLE_GRANT_TYPES/) },
    });
    const known = {
      REGISTRABLE_GRANT_TYPES: `authorization_code,${exchange}`,
      ALLOW_OPEN_REGISTRATION: 'true',
    };
    expect(await sent(known, body)).toMatchObject({ status: 200, body });
    expect((await sent(known, body, null)).status).toBe(401);
    const listed = { ...known, OPEN_REGISTRATION_GRANT_TYPES: exchange };
    expect(await sent(listed, body, null)).toMatchObject({ status: 200, body });
  });

  it('keep an extension grant type that the master token gave through updates of the client itself', async () => {
    const exchange = 'https://as.example/grants/exchange';
    const { app } = await buildTestApp({ REGISTRABLE_GRANT_TYPES: `authorization_code,${exchange}` });
    const registration = { grant_types: [exchange] };
    const { client_id: id, registration_access_token: token } = information(
      await send(app, 'POST /clients', { token: MASTER, body: registration }),
    );
    const body = { client_id: id, ...registration, client_name: 'Exchange' };
    const response = await send(app, `PUT ${pathOf(id)}`, { token: token as string, body });
    expect(information(response)).toMatchObject(registration);
  });

  it('let native clients have listed schemes without a dot', async () => {
    const body = { application_type: 'native', redirect_uris: ['https://app.example/cb', 'myapp:/callback'] };
    expect(await sent({}, body)).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_redirect_uri',
        error_description: expect.stringMatching(/redirect_uris\[1\]: .*RFC 8252.*PRIVATE_USE_SCHEMES/),
      },
    });
    expect((await sent({ PRIVATE_USE_SCHEMES: 'other,myapp' }, body)).status).toBe(200);
    expect((await sent({ PRIVATE_USE_SCHEMES: 'other' }, body)).status).toBe(400);
  });

  it('determine which algorithms can be registered, the first being that of ID tokens', async () => {
    const { app } = await buildTestApp({ SIGNING_ALGORITHMS: 'ES256,EdDSA' });
    expect((await registered(app))['id_token_signed_response_alg']).toBe('ES256');
    const body = { redirect_uris: [CALLBACK], id_token_signed_response_alg: 'RS256' };
    expect((await send(app, 'POST /clients', { token: MASTER, body })).status).toBe(400);
  });

  it.each([
    [{}, undefined, 2_592_000],
    [{ CLIENT_SECRET_OVERLAP_SECONDS: '60', PREVIOUS_SECRET_RETENTION_SECONDS: '3600' }, 60, 3_600],
  ])('determine how long a replaced secret is valid: %o', async (settings, overlap, retention) => {
    const { app, store, clock } = await buildTestApp(settings);
    const { client_id: id } = await registered(app);
    const body = { client_id: id, redirect_uris: [CALLBACK] };
    information(await send(app, `PUT ${pathOf(id)}`, { token: MASTER, body }));
    const now = nowSeconds(clock);
    const [previous] = await store.database.clients.previousSecrets(id as ClientId, now);
    expect(previous?.keptUntil).toBe(now + retention);
    expect(previous?.authenticatesUntil).toBe(overlap === undefined ? undefined : now + overlap);
  });
});

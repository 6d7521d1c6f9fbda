import { type ClientId, nowSeconds } from '@vestibule/protocol';
import type { Environment } from '@vestibule/service-kit/settings';
import { describe, expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { information, pathOf, registered, send } from '../support/calls.js';

const CALLBACK = 'https://app.example/cb';

/** The status of one registration under some settings. */
async function statusUnder(settings: Environment, body: Readonly<Record<string, unknown>>): Promise<number> {
  const { app } = await buildTestApp(settings);
  const call = { token: MASTER, body: { redirect_uris: [CALLBACK], ...body } };
  return (await send(app, 'POST /clients', call)).status;
}

describe('the settings of the service', () => {
  it('let web clients have redirect URIs on loopback addresses, in development', async () => {
    const body = { redirect_uris: ['http://localhost:3000/cb'] };
    expect(await statusUnder({}, body)).toBe(400);
    expect(await statusUnder({ ALLOW_LOOPBACK_REDIRECT_URIS: 'true' }, body)).toBe(200);
  });

  it('let named hosts do without https, and no others', async () => {
    const settings = { EGRESS_ALLOW_HOSTS: 'localhost:4000' };
    const body = { backchannel_logout_uri: 'http://localhost:4000/logout' };
    expect(await statusUnder({}, body)).toBe(400);
    expect(await statusUnder(settings, body)).toBe(200);
    expect(await statusUnder(settings, { backchannel_logout_uri: 'http://localhost:4001/logout' })).toBe(400);
  });

  it('say which grants can be registered, the master token included', async () => {
    const settings = { REGISTRABLE_GRANT_TYPES: 'authorization_code,refresh_token' };
    expect(await statusUnder(settings, { grant_types: ['refresh_token'] })).toBe(200);
    expect(await statusUnder(settings, { grant_types: ['password'] })).toBe(400);
  });

  it('say which algorithms can be registered, the first being that of ID tokens', async () => {
    const { app } = await buildTestApp({ SIGNING_ALGORITHMS: 'ES256,EdDSA' });
    expect((await registered(app))['id_token_signed_response_alg']).toBe('ES256');
    const body = { redirect_uris: [CALLBACK], id_token_signed_response_alg: 'RS256' };
    expect((await send(app, 'POST /clients', { token: MASTER, body })).status).toBe(400);
  });

  it.each([
    [{}, undefined, 2_592_000],
    [{ CLIENT_SECRET_OVERLAP_SECONDS: '60', EARLIER_SECRET_RETENTION_SECONDS: '3600' }, 60, 3_600],
  ])('say how long a replaced secret stays: %o', async (settings, overlap, retention) => {
    const { app, store, clock } = await buildTestApp(settings);
    const { client_id: id } = await registered(app);
    const body = { client_id: id, redirect_uris: [CALLBACK] };
    information(await send(app, `PUT ${pathOf(id)}`, { token: MASTER, body }));
    const now = nowSeconds(clock);
    const [earlier] = await store.database.clients.earlierSecrets(id as ClientId, now);
    expect(earlier?.keptUntil).toBe(now + retention);
    expect(earlier?.authenticatesUntil).toBe(overlap === undefined ? undefined : now + overlap);
  });
});

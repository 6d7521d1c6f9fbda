import type { Client } from '@vestibule/clients';
import type { ClientId } from '@vestibule/protocol';
import { introspectionEndpoint, JWT_BEARER_ASSERTION_TYPE } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { authenticateClient } from '../authenticate-client.js';
import { assertionFixture } from '../testing/assertion-fixture.js';
import { authenticate, expectRefused, REFUSED } from '../testing/authenticate-by-assertion.js';
import { ISSUER } from '../testing/client-fixture.js';

describe('client assertions (RFC 7523 section 3)', () => {
  it('authenticate a client by its key pair or its secret, once each', async () => {
    const fixture = await assertionFixture();
    const client = fixture.registerKeys();
    const signed = await fixture.assertion();
    expect(await authenticate(fixture, signed, { client_id: 'rs1' })).toEqual({
      client,
      method: 'private_key_jwt',
    });
    await expect(authenticate(fixture, signed)).rejects.toMatchObject(REFUSED);

    const secretClient = await fixture.registerSecret();
    const keyed = await fixture.assertion({}, fixture.secretKey());
    expect(await authenticate(fixture, keyed)).toEqual({ client: secretClient, method: 'client_secret_jwt' });
    await expect(authenticate(fixture, keyed)).rejects.toMatchObject(REFUSED);
  });

  it('are accepted only for our issuer', async () => {
    const fixture = await assertionFixture();
    fixture.registerKeys();
    for (const aud of [ISSUER, [ISSUER]]) await authenticate(fixture, await fixture.assertion({ aud }));
    const endpoint = introspectionEndpoint(ISSUER);
    const bad = [
      undefined,
      '',
      [],
      endpoint,
      `${ISSUER}/`,
      `${ISSUER}/token`,
      ISSUER.toUpperCase(),
      [ISSUER, 'https://evil.example'],
      ['https://evil.example', ISSUER],
      [ISSUER, endpoint],
      [ISSUER, ISSUER],
      [[ISSUER]],
      { 0: ISSUER },
      'rs1',
      null,
    ];
    for (const aud of bad)
      await expectRefused(fixture, await fixture.assertion({ aud }), JSON.stringify(aud) ?? '');
  });

  it('may name an endpoint alone if the settings allow it, but never for a federated client', async () => {
    const fixture = await assertionFixture();
    fixture.registerKeys();
    const endpoint = introspectionEndpoint(ISSUER);
    const lenient = { ...fixture, deps: fixture.depsWith({ endpointAudiences: [endpoint] }) };
    for (const aud of [endpoint, [endpoint], ISSUER])
      await authenticate(lenient, await fixture.assertion({ aud }));
    for (const aud of [[endpoint, ISSUER], `${endpoint}/`, `${ISSUER}/token`])
      await expectRefused(lenient, await fixture.assertion({ aud }), JSON.stringify(aud));
    fixture.registerKeys({}, { federation: {} as NonNullable<Client['federation']> });
    await authenticate(lenient, await fixture.assertion());
    await expectRefused(lenient, await fixture.assertion({ aud: endpoint }), 'of a federation');
  });

  it('expire within an hour or the configured time, with 30 seconds of clock skew, and are refused before nbf', async () => {
    const fixture = await assertionFixture();
    fixture.registerKeys();
    const { now } = fixture;
    const good = [{ exp: now + 1 }, { exp: now + 3_630 }, { iat: now + 30, nbf: now + 30 }, { iat: 0 }];
    for (const times of good) await authenticate(fixture, await fixture.assertion(times));
    const bad = [
      { exp: undefined },
      { exp: now },
      { exp: now - 1 },
      { exp: now + 3_631 },
      { exp: 2_147_483_647 },
      { exp: 1e308 },
      { exp: `${now + 60}` },
      { exp: now + 0.5, iat: String(now) },
      { exp: null },
      { iat: now + 31 },
      { iat: 'now' },
      { nbf: now + 31 },
    ];
    for (const times of bad)
      await expectRefused(fixture, await fixture.assertion(times), JSON.stringify(times));
    const short = { ...fixture, deps: fixture.depsWith({ maxLifetimeSeconds: 60 }) };
    await authenticate(short, await fixture.assertion({ exp: now + 90 }));
    await expectRefused(short, await fixture.assertion({ exp: now + 91 }), 'longer than the settings say');
  });

  it('must have the client as iss and sub, and a jti', async () => {
    const fixture = await assertionFixture();
    fixture.registerKeys();
    fixture.register({ id: 'rs2' as ClientId }, { token_endpoint_auth_method: 'private_key_jwt' });
    const bad: JsonObject[] = [
      { iss: 'rs2' },
      { sub: 'rs2' },
      { iss: 'rs2', sub: 'rs2' },
      { iss: ISSUER },
      { sub: '' },
      { sub: ['rs1'], iss: ['rs1'] },
      { sub: 'RS1', iss: 'RS1' },
      { sub: 'rs1\n', iss: 'rs1\n' },
      { jti: '' },
      { jti: 7 },
    ];
    for (const claims of bad)
      await expectRefused(fixture, await fixture.assertion(claims), JSON.stringify(claims));
    for (const name of ['iss', 'sub', 'jti'])
      await expectRefused(fixture, await fixture.assertion({ [name]: undefined }), `without ${name}`);
  });

  it('must have a type of client assertions, not that of an access token, logout token or other JWT', async () => {
    const fixture = await assertionFixture();
    fixture.registerKeys();
    for (const typ of ['JWT', 'jwt', 'client-authentication+jwt', 'application/client-authentication+jwt'])
      await authenticate(fixture, await fixture.assertion({}, fixture.pair.key, typ));
    for (const typ of ['at+jwt', 'logout+jwt', 'entity-statement+jwt', 'dpop+jwt'])
      await expectRefused(fixture, await fixture.assertion({}, fixture.pair.key, typ), typ);
  });

  it('must come with their client_assertion_type', async () => {
    const fixture = await assertionFixture();
    fixture.registerKeys();
    const client_assertion = await fixture.assertion();
    const forms = [
      { client_assertion },
      { client_assertion, client_assertion_type: '' },
      { client_assertion, client_assertion_type: JWT_BEARER_ASSERTION_TYPE.toUpperCase() },
      { client_assertion, client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' },
      { client_assertion_type: JWT_BEARER_ASSERTION_TYPE },
      { client_assertion: '', client_assertion_type: JWT_BEARER_ASSERTION_TYPE },
    ];
    for (const form of forms)
      await expect(authenticateClient(fixture.deps, { form })).rejects.toMatchObject(REFUSED);
    expect(await authenticate(fixture, client_assertion)).toBeDefined();
  });

  it('are refused if the settings for assertions are missing', async () => {
    const fixture = await assertionFixture();
    fixture.registerKeys();
    const { assertions: _, ...without } = fixture.deps;
    await expect(
      authenticate({ ...fixture, deps: without }, await fixture.assertion()),
    ).rejects.toMatchObject(REFUSED);
  });
});

import type { EpochSeconds } from '@vestibule/protocol';
import { signedBy, TEST_KEYS } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { buildTestApp, ISSUER, MASTER } from '../support/build-test-app.js';
import { INVALID_TOKEN, information, MISSING_TOKEN, registered, send } from '../support/calls.js';
import { HOSTILE_BODIES } from '../support/hostile-bodies.js';
import { OTHER_SCHEMES } from '../support/malformed-authorizations.js';

const BODY = { redirect_uris: ['https://app.example/cb'] };

it('refuses every request without a bearer token in managed mode, before it checks anything else', async () => {
  const { app, all } = await buildTestApp();
  expect(await send(app, 'POST /clients', { body: BODY })).toEqual(MISSING_TOKEN);
  for (const authorization of OTHER_SCHEMES)
    expect(await send(app, 'POST /clients', { authorization, body: BODY }), authorization).toEqual(
      MISSING_TOKEN,
    );
  for (const [payload] of HOSTILE_BODIES)
    expect(await send(app, 'POST /clients', { payload })).toEqual(MISSING_TOKEN);
  expect(await send(app, 'POST /clients', { body: BODY, headers: { 'content-type': 'text/plain' } })).toEqual(
    MISSING_TOKEN,
  );
  expect(await send(app, `POST /clients?access_token=${MASTER}`, { body: BODY })).toEqual(MISSING_TOKEN);
  expect(await send(app, 'POST /clients', { body: { ...BODY, access_token: MASTER } })).toEqual(
    MISSING_TOKEN,
  );
  expect(await all()).toEqual([]);
});

it.each(['true', 'false'])(
  'refuses revoked, foreign and unknown tokens alike (open mode: %s)',
  async (open) => {
    const service = await buildTestApp({ ALLOW_OPEN_REGISTRATION: open });
    const { app, clock, initialToken } = service;
    const client = await registered(app);
    const past = Math.floor(clock.nowMs() / 1000) as EpochSeconds;
    const claims = { iss: ISSUER, sub: 'alice', jti: 'j1', scope: 'client-reg', iat: past, exp: past + 600 };
    const dead = [
      await initialToken('client-reg', { expiresAt: past }),
      await initialToken('client-reg', { usesLeft: 0 }),
      await initialToken('client-reg', { audience: ['https://other.example'] }),
      await initialToken('client-reg', { audience: [`${ISSUER}/clients/`] }),
      await initialToken('client-reg', { confirmation: { jkt: 'x' } }),
      await initialToken('client-reg', { confirmation: { 'x5t#S256': 'x' } }),
      client.registration_access_token,
      client.client_secret,
      client.client_id,
      MASTER.toLowerCase(),
      MASTER.slice(0, -1),
      `${MASTER}x`,
      'x',
      'x'.repeat(43),
      'e30.e30.e30',
      // An access token that the operator's own server signed (registration/API.md#tokens).
      await signedBy(TEST_KEYS.es256, { ...claims, client_id: client.client_id }),
      'client-reg',
    ];
    for (const token of dead)
      expect(await send(app, 'POST /clients', { token, body: BODY }), token).toEqual(INVALID_TOKEN);
    expect(await service.all()).toHaveLength(1);
  },
);

it('refuses an invalid token before it reads the body', async () => {
  const { app } = await buildTestApp({ ALLOW_OPEN_REGISTRATION: 'true' });
  for (const [payload] of HOSTILE_BODIES)
    expect(await send(app, 'POST /clients', { token: 'x'.repeat(43), payload })).toEqual(INVALID_TOKEN);
});

it('accepts an initial access token for this server or this endpoint until the second of its expiry', async () => {
  const { app, clock, initialToken } = await buildTestApp();
  for (const audience of [[ISSUER], [`${ISSUER}/clients`], ['https://other.example', ISSUER]])
    await registered(app, {}, await initialToken('client-reg', { audience }));
  const [first, second] = [await initialToken('client-reg'), await initialToken('client-reg')];
  clock.advanceSeconds(599);
  await registered(app, {}, first);
  clock.advanceSeconds(1);
  expect(await send(app, 'POST /clients', { token: second, body: BODY })).toEqual(INVALID_TOKEN);
});

it('requires a token for everything beyond open registration (registration/API.md#modes)', async () => {
  const { app, all } = await buildTestApp({ ALLOW_OPEN_REGISTRATION: 'true' });
  const beyond = [
    { grant_types: ['password'] },
    { grant_types: ['authorization_code', 'client_credentials'] },
    { grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'] },
    { grant_types: ['urn:ietf:params:oauth:grant-type:saml2-bearer'] },
    { scope: 'openid' },
    { data: {} },
    { preferred_client_id: 'chosen' },
    { preferred_client_secret: 's'.repeat(32) },
  ];
  for (const member of beyond)
    expect(await send(app, 'POST /clients', { body: { ...BODY, ...member } })).toEqual(MISSING_TOKEN);
  expect(await all()).toEqual([]);
  for (const member of [{ scope: '' }, { scope: null }, { data: null }, { preferred_client_secret: null }])
    information(await send(app, 'POST /clients', { body: { ...BODY, ...member } }));
});

import type { ClientInformation } from '@vestibule/clients';
import { registerClient } from '@vestibule/clients/registration';
import { STRICT_METADATA_SETTINGS } from '@vestibule/metadata';
import { ALL_SCOPES } from '@vestibule/scopes';
import { expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../support/build-test-app.js';
import { authorizationAddress, aVerifier } from '../support/code-flow.js';

/** Whether an authorization request with this redirect URI gets to the login. */
async function isAccepted(
  { app }: TestApp,
  client: ClientInformation,
  redirectUri: string,
): Promise<boolean> {
  const { challenge } = aVerifier();
  const { headers } = await app.inject(
    authorizationAddress(client, challenge, { redirect_uri: redirectUri }),
  );
  return String(headers.location).startsWith('/interaction/');
}

const REGISTERED = [
  'http://localhost:8787/callback',
  'http://127.0.0.1/callback?a=b',
  'http://[::1]:1234/callback',
  'https://app.example:8443/callback',
  'com.example.app://host:1/callback',
];

it('accepts every port of the loopback redirect URIs of a client that did not say that it is native', async () => {
  const fixture = await buildTestApp({}, false, true);
  const client = await fixture.register({
    grant_types: ['authorization_code'],
    redirect_uris: [...REGISTERED],
  });
  expect(client['application_type']).toBe('native');
  const accepted = [
    ...REGISTERED,
    'http://localhost:1/callback',
    'http://localhost/callback',
    'http://127.0.0.1:65535/callback?a=b',
    'http://[::1]/callback',
  ];
  for (const uri of accepted) expect(await isAccepted(fixture, client, uri), uri).toBe(true);
  const refused = [
    'http://localhost:8787/other',
    'http://localhost:8787/callback?a=b',
    'http://127.0.0.1:1/callback',
    'http://[::2]:1234/callback',
    'http://user@localhost:8787/callback',
    'http://localhost.evil.example:8787/callback',
    'https://localhost:8787/callback',
    'https://app.example:9443/callback',
    'https://app.example/callback',
    'com.example.app://host:2/callback',
  ];
  for (const uri of refused) expect(await isAccepted(fixture, client, uri), uri).toBe(false);
});

it('accepts no other port of a web client', async () => {
  const fixture = await buildTestApp({}, false, true);
  const metadata = { ...STRICT_METADATA_SETTINGS, allowLoopbackRedirectUris: true };
  const { information: client } = await registerClient(
    { ...fixture.registration, settings: { ...fixture.registration.settings, metadata } },
    {
      authority: { kind: 'master', grantedScopes: ALL_SCOPES },
      body: { application_type: 'web', redirect_uris: ['http://localhost:8787/callback'] },
    },
  );
  expect(await isAccepted(fixture, client, 'http://localhost:8787/callback')).toBe(true);
  expect(await isAccepted(fixture, client, 'http://localhost:8788/callback')).toBe(false);
});

import { createEntityKey, openSmallFederation } from '@vestibule/testkit/federation';
import { expect, it, onTestFinished } from 'vitest';
import { requestClaims, signRequest } from '../support/automatic-fixture.js';
import { buildTestApp } from '../support/build-test-app.js';
import { aVerifier } from '../support/code-flow.js';

const REQUEST = { response_type: 'code', scope: 'openid', redirect_uri: 'https://app.example/cb' };
const challenged = () => ({ code_challenge: aVerifier().challenge, code_challenge_method: 'S256' });

/** The responses to the first and the second request of an entity, at both endpoints that accept one. */
async function responses(PKCE_REQUIRED: string, isChallenged: boolean) {
  const federation = await openSmallFederation();
  onTestFinished(() => federation.close());
  const settings = {
    FEDERATION_ENABLED: 'true',
    FEDERATION_TRUST_ANCHORS: JSON.stringify(federation.trustAnchors),
    EGRESS_ALLOW_HOSTS: '127.0.0.1',
    RATE_LIMITS_ENABLED: 'false',
    PKCE_REQUIRED,
  };
  const { app } = await buildTestApp(settings, false, true);
  const key = await createEntityKey();
  const metadata = {
    redirect_uris: [REQUEST.redirect_uri],
    client_registration_types: ['automatic'],
    jwks: { keys: [key.publicJwk] },
  };
  const { id } = await federation.relyingParty({ metadata });
  const proof = () => {
    const claims = requestClaims(id, Math.floor(Date.now() / 1_000));
    return signRequest(key, { ...claims, ...REQUEST, ...(isChallenged && challenged()) });
  };
  const taken: boolean[] = [];
  for (let count = 0; count < 2; count += 1) {
    const payload = new URLSearchParams({ client_id: id, request: await proof() }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const pushed = await app.inject({ method: 'POST', url: '/par', headers, payload });
    taken.push(pushed.statusCode === 201);
    if (pushed.statusCode !== 201) expect(pushed.json().error_description).toContain('PKCE');
    const query = new URLSearchParams({ client_id: id, request: await proof() });
    const { location = '' } = (await app.inject(`/authorize?${query}`)).headers;
    taken.push(String(location).startsWith('/interaction/'));
  }
  return taken;
}

it.each([
  ['all', false, false],
  ['all', true, true],
  ['public', false, true],
] as const)(
  'accepts a request of an entity, with PKCE_REQUIRED=%s and a challenge %s, at each endpoint: %s',
  async (required, isChallenged, isTaken) => {
    expect(await responses(required, isChallenged)).toEqual(Array.from({ length: 4 }, () => isTaken));
  },
);

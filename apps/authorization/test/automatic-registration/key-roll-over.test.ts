import { nowSeconds, systemClock } from '@vestibule/protocol';
import { createEntityKey, openSmallFederation } from '@vestibule/testkit/federation';
import { expect, it, onTestFinished } from 'vitest';
import { requestClaims, signRequest } from '../support/automatic-fixture.js';
import { buildTestApp } from '../support/build-test-app.js';

const REQUEST = {
  response_type: 'code',
  scope: 'openid',
  redirect_uri: 'https://app.example/cb',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

/** A server with a federation, and pushed requests of new entities two levels below an organization. */
async function createFixture() {
  const federation = await openSmallFederation();
  onTestFinished(() => federation.close());
  const settings = {
    FEDERATION_ENABLED: 'true',
    FEDERATION_TRUST_ANCHORS: JSON.stringify(federation.trustAnchors),
    EGRESS_ALLOW_HOSTS: '127.0.0.1',
    RATE_LIMITS_ENABLED: 'false',
  };
  const { app } = await buildTestApp(settings, false, true);
  const [organization] = federation.intermediates;
  const unit = await federation.newEntity();
  organization.vouchFor(unit);
  const pushes = async () => {
    const key = await createEntityKey();
    const metadata = {
      redirect_uris: [REQUEST.redirect_uri],
      client_registration_types: ['automatic'],
      jwks: { keys: [key.publicJwk] },
    };
    const { id } = await federation.relyingParty({ superior: unit, metadata });
    const request = await signRequest(key, { ...requestClaims(id, nowSeconds(systemClock)), ...REQUEST });
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/par',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `${new URLSearchParams({ client_id: id, request })}`,
    });
    return statusCode;
  };
  return { anchor: federation.anchor, organization, unit, pushes };
}

it('accepts pushed requests of new entities although statements under a dropped key of an intermediate are cached', async () => {
  const { anchor, organization, unit, pushes } = await createFixture();
  // Everything is cached except the statement of the anchor, which is not readable yet.
  anchor.behaviour.subordinates.set(organization.id, { spoil: () => 'unreadable' });
  expect(await pushes()).toBe(401);
  const key = await createEntityKey();
  const [signing, jwks] = [{ key, header: { kid: key.kid } }, { keys: [key.publicJwk] }];
  organization.behaviour.configuration = { ...signing, claims: { jwks } };
  organization.behaviour.subordinates.set(unit.id, signing);
  anchor.vouchFor(organization, { jwks });
  anchor.behaviour.subordinates.delete(organization.id);
  organization.requestedPaths.splice(0);
  expect(await pushes()).toBe(201);
  expect(organization.requestedPaths).toHaveLength(2);
});

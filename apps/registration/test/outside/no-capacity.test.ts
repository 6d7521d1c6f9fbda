import { generateKeyPairSync } from 'node:crypto';
import { signJwt } from '@vestibule/crypto/jwt';
import { createEgress } from '@vestibule/egress';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { information, NO_STORE, pathOf, registered, send } from '../support/calls.js';
import { documentServer } from '../support/document-server.js';

const URIS = ['https://app.example/cb'];
const OVERLOADED = { status: 429, headers: { ...NO_STORE, 'retry-after': '5' }, body: '' };

/** A service with capacity for one outgoing request at a time, with functions that take and release it. */
async function createSaturableService() {
  const outside = await documentServer();
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'k' }];
  outside.documents.set('/sector', { type: 'application/json', body: JSON.stringify(URIS) });
  outside.documents.set('/jwks', { type: 'application/jwk-set+json', body: JSON.stringify({ keys }) });
  outside.silent.add('/silent');
  const egress = createEgress({ allowHosts: [outside.host], maxConcurrent: 1, maxQueued: 0 });
  const settings = {
    EGRESS_ALLOW_HOSTS: outside.host,
    SOFTWARE_STATEMENT_ISSUERS: JSON.stringify({ Remote: outside.url('/jwks') }),
  };
  const test = await buildTestApp(settings, false, { egress });
  const takeSlot = () => {
    const given = new AbortController();
    const request = { url: outside.url('/silent'), accept: '*/*', mediaTypes: [], maxBytes: 1 };
    const taken = egress.fetchDocument({ ...request, deadlineMs: 60_000, signal: given.signal });
    return async () => {
      given.abort();
      await taken;
    };
  };
  const software_statement = await signJwt({
    key: { algorithm: 'ES256', kid: 'k', key: privateKey },
    typ: 'JWT',
    claims: { iss: 'Remote', client_name: 'Stated' },
  });
  const bodies = [
    { redirect_uris: URIS, sector_identifier_uri: outside.url('/sector') },
    { redirect_uris: URIS, software_statement },
  ];
  return { ...test, outside, takeSlot, bodies };
}

// The metadata are still valid: with another refusal, the client would not retry.
it('asks the client to retry, and consumes nothing, while there is no capacity for outgoing requests', async () => {
  const { app, outside, takeSlot, bodies, initialToken, usesLeft } = await createSaturableService();
  const plain = await registered(app, { redirect_uris: URIS });
  for (const body of bodies) {
    const token = await initialToken('client-reg');
    const releaseSlot = takeSlot();
    expect(await send(app, 'POST /clients', { token, body })).toEqual(OVERLOADED);
    const update = { token: MASTER, body: { ...body, client_id: plain.client_id } };
    expect(await send(app, `PUT ${pathOf(plain.client_id)}`, update)).toEqual(OVERLOADED);
    await releaseSlot();
    expect(await usesLeft(token)).toBe(1);
    information(await send(app, 'POST /clients', { token, body }));
  }
  expect(outside.requested.filter((path) => path !== '/silent')).toEqual(['/sector', '/jwks']);
});

import { generateKeyPairSync } from 'node:crypto';
import { type SigningKey, signJwt } from '@vestibule/crypto/jwt';
import { nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { Environment } from '@vestibule/service/settings';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { badRequest, information, pathOf, registered, send } from '../support/calls.js';
import { documentServer } from '../support/document-server.js';

const BODY = { redirect_uris: ['https://app.example/cb'] };
const INVALID = badRequest('invalid_software_statement', 'The software statement cannot be verified.');
const UNAPPROVED = badRequest(
  'unapproved_software_statement',
  'The issuer of the software statement is not trusted here.',
);

function aKeyPair(kid: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid }] };
  const key: SigningKey = { algorithm: 'ES256', kid, key: privateKey };
  const state = (claims: JsonObject) => signJwt({ key, typ: 'JWT', claims });
  return { jwks, state };
}

/** A service that trusts one vendor by its keys and one by the URL of its keys. */
async function aTrustingApp(settings: Environment = {}) {
  const outside = await documentServer();
  const [vendor, remote] = [aKeyPair('v'), aKeyPair('r')];
  outside.documents.set('/jwks', { type: 'application/jwk-set+json', body: JSON.stringify(remote.jwks) });
  const issuers = { 'https://vendor.example': vendor.jwks, Remote: outside.url('/jwks') };
  const test = await buildTestApp({
    SOFTWARE_STATEMENT_ISSUERS: JSON.stringify(issuers),
    EGRESS_ALLOW_HOSTS: outside.host,
    ...settings,
  });
  return { ...test, outside, vendor, remote };
}

it('lets the claims of trusted statements override plain members (RFC 7591 section 2.3)', async () => {
  const { app, vendor, remote, outside } = await aTrustingApp();
  const cases = [
    await vendor.state({ iss: 'https://vendor.example', client_name: 'Stated', software_id: 's1' }),
    await remote.state({ iss: 'Remote', client_name: 'Stated', software_id: 's1' }),
  ];
  for (const software_statement of cases) {
    const body = { ...BODY, client_name: 'Plain', software_statement };
    const evaluated = await send(app, 'POST /clients?dry_run=true', { token: MASTER, body });
    expect(JSON.parse(evaluated.body)).toMatchObject({ client_name: 'Stated' });
    const client = await registered(app, body);
    expect(client).toMatchObject({ client_name: 'Stated', software_id: 's1', software_statement });
    const update = { ...body, client_id: client.client_id };
    const updated = await send(app, `PUT ${pathOf(client.client_id)}`, { token: MASTER, body: update });
    expect(information(updated)).toMatchObject({ client_name: 'Stated' });
  }
  expect(outside.requested).toEqual(['/jwks']);
});

it('refuses a client that is blocked by what its statement says', async () => {
  const { app, vendor, store, clock, all } = await aTrustingApp();
  const names = [
    { kind: 'software_id', value: 's1' },
    { kind: 'redirect_uri', value: 'https://bad.example/*' },
  ] as const;
  const change = { actor: 'operator:jane', now: nowSeconds(clock) } as const;
  await store.database.clientBlocks.add(names, undefined, change);
  for (const claims of [{ software_id: 's1' }, { redirect_uris: ['https://bad.example/cb'] }]) {
    const software_statement = await vendor.state({ iss: 'https://vendor.example', ...claims });
    for (const target of ['POST /clients', 'POST /clients?dry_run=true'])
      expect(await send(app, target, { token: MASTER, body: { ...BODY, software_statement } })).toEqual(
        badRequest('invalid_client_metadata', 'The operator of this server has blocked this client.'),
      );
  }
  expect(await all()).toEqual([]);
});

it('refuses statements that cannot be verified, and untrusted issuers', async () => {
  const { app, vendor, remote, outside } = await aTrustingApp();
  const refusal = async (software_statement: unknown) =>
    send(app, 'POST /clients', { token: MASTER, body: { ...BODY, software_statement } });
  expect(await refusal(await remote.state({ iss: 'https://vendor.example' }))).toEqual(INVALID);
  expect(await refusal(await vendor.state({ iss: 'Remote' }))).toEqual(INVALID);
  expect(await refusal(await vendor.state({ iss: 'https://vendor.example', exp: 1 }))).toEqual(INVALID);
  expect(await refusal('x')).toEqual(INVALID);
  expect(await refusal(await vendor.state({ iss: 'Unknown' }))).toEqual(UNAPPROVED);
  outside.documents.clear();
  const another = await aTrustingApp();
  another.outside.documents.clear();
  const body = { ...BODY, software_statement: await another.remote.state({ iss: 'Remote' }) };
  expect(await send(another.app, 'POST /clients', { token: MASTER, body })).toEqual(INVALID);
});

it('registers nothing without a statement if one is required', async () => {
  const { app, vendor } = await aTrustingApp({ SOFTWARE_STATEMENT_REQUIRED: 'true' });
  expect(await send(app, 'POST /clients', { token: MASTER, body: BODY })).toEqual(
    badRequest('invalid_software_statement', 'A software statement is required.'),
  );
  await registered(app, {
    ...BODY,
    software_statement: await vendor.state({ iss: 'https://vendor.example' }),
  });
});

it('binds a patch to the registered statement, expired or not, until it is removed', async () => {
  const { app, clock, vendor } = await aTrustingApp();
  const exp = Math.floor(clock.nowMs() / 1000) + 60;
  const software_statement = await vendor.state({
    iss: 'https://vendor.example',
    client_name: 'Stated',
    exp,
  });
  const { client_id: id } = await registered(app, { ...BODY, software_statement });
  clock.advanceSeconds(600);
  const patch = async (body: JsonObject) =>
    information(await send(app, `PATCH ${pathOf(id)}`, { token: MASTER, body }));
  const changes = { client_name: 'Own', 'client_name#de': 'Eigen', logo_uri: 'https://app.example/logo' };
  const patched = await patch(changes);
  expect(patched).toMatchObject({ client_name: 'Stated', logo_uri: changes.logo_uri, software_statement });
  expect(patched).not.toHaveProperty('client_name#de');
  // The registered claims remain as plain members, which can be changed from then on.
  const freed = await patch({ software_statement: null });
  expect(freed).toMatchObject({ client_name: 'Stated' });
  expect(freed).not.toHaveProperty('software_statement');
  expect(await patch(changes)).toMatchObject(changes);
});

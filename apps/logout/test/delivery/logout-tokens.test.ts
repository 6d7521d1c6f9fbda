import { secretAssociatedData } from '@vestibule/clients/associated-data';
import { secureRandom } from '@vestibule/crypto';
import {
  decodeUnverifiedJwt,
  decryptJwt,
  secretDecryptionKeys,
  secretVerificationKeys,
  verifyJwt,
} from '@vestibule/crypto/jwt';
import { type ClientId, nowSeconds, systemClock } from '@vestibule/protocol';
import type { ClientDeviations } from '@vestibule/testkit';
import { pairwiseSubjects } from '@vestibule/tokens/issuing';
import { expect, it } from 'vitest';
import { createDeliveryFixture, type DeliveryFixture, ISSUER } from '../support/delivery-fixture.js';
import { aReceiver } from '../support/receiver.js';

const SECRET = 'a-client-secret-that-is-long-enough-for-any-algorithm-of-64-bytes';

const decode = (token: string) => decodeUnverifiedJwt(token, 8192);

/** The logout token that a client with this registration receives when its session ends. */
async function received(
  deviations: ClientDeviations,
  prepare: (fixture: DeliveryFixture) => Promise<unknown> = async () => undefined,
) {
  const fixture = await createDeliveryFixture();
  const receiver = await aReceiver();
  await fixture.register('c', receiver.url, deviations);
  await prepare(fixture);
  fixture.deliver([receiver]);
  await fixture.logout(await fixture.login(['c']));
  await fixture.until('delivered', 1);
  return { fixture, token: receiver.received[0]?.token ?? '' };
}

const SESSION_REQUIRED = { backchannel_logout_session_required: true };

it('names end-user, session and event, signed with our key', async () => {
  const { fixture, token } = await received({ metadata: SESSION_REQUIRED });
  const { claims } = await verifyJwt(token, {
    keys: fixture.store.providerKeys.verificationKeys,
    algorithms: ['ES256'],
    types: ['logout+jwt'],
    maxLength: 8192,
  });
  expect(claims).toEqual({
    iss: ISSUER,
    aud: 'c',
    sub: 'alice',
    sid: 'session-1 at c',
    iat: expect.any(Number),
    exp: Number(claims['iat']) + 120,
    jti: expect.any(String),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  });
});

it('carries sid for clients whose ID tokens do, by either channel, and for no others', async () => {
  const sidOf = async (metadata: ClientDeviations['metadata'] = {}) =>
    decode((await received({ metadata })).token).claims['sid'];
  expect(await sidOf({ frontchannel_logout_session_required: true })).toBe('session-1 at c');
  expect(await sidOf()).toBeUndefined();
});

it('carries the pairwise sub of the ID tokens of a pairwise client, and never another sub', async () => {
  const { store, register, login, logout, deliver, until } = await createDeliveryFixture();
  const receiver = await aReceiver();
  const metadata = {
    subject_type: 'pairwise',
    redirect_uris: [`http://${receiver.place}/cb`],
    sector_identifier_uri: 'https://rp.example:8443/list',
  } as const;
  await register('c', receiver.url, { metadata });
  deliver([receiver]);
  await logout(await login(['c']));
  await until('delivered', 1);
  const subjects = pairwiseSubjects(store.database.providerRecords, secureRandom);
  const pairwise = await subjects('rp.example:8443', 'alice');
  await logout(await login(['c']));
  await until('delivered', 2);
  const [unknown, known] = receiver.received.map(({ token }) => decode(token).claims);
  expect(unknown).toMatchObject({ sid: 'session-1 at c' });
  expect(unknown).not.toHaveProperty('sub');
  expect(known).toMatchObject({ sub: pairwise });
});

// Anyone may register redirect URIs of another owner, and would learn the pairwise subjects of its sector.
it('carries no sub of a sector to an address outside that sector', async () => {
  const metadata = { subject_type: 'pairwise', redirect_uris: ['https://victim.example/cb'] } as const;
  const { token } = await received({ metadata }, async ({ store }) => {
    await pairwiseSubjects(store.database.providerRecords, secureRandom)('victim.example', 'alice');
  });
  expect(decode(token).claims).toMatchObject({ sid: 'session-1 at c' });
  expect(decode(token).claims).not.toHaveProperty('sub');
});

it('does not send the public sub to a client that became pairwise in the meantime', async () => {
  const fixture = await createDeliveryFixture();
  const receiver = await aReceiver();
  await fixture.register('c', receiver.url);
  await fixture.logout(await fixture.login(['c']));
  await fixture.sql(`UPDATE client SET metadata = metadata || '{"subject_type":"pairwise"}'`);
  fixture.deliver([receiver]);
  await fixture.until('delivered', 1);
  expect(decode(receiver.received[0]?.token ?? '').claims).not.toHaveProperty('sub');
});

const SECRET_KEEPER = async ({ store, sql }: DeliveryFixture) => {
  const encrypted = await store.encryptor.encrypt(SECRET, secretAssociatedData('c' as ClientId));
  await sql(`UPDATE client SET secret_sealed = $1, secret_digest = sha256('x')`, [encrypted]);
};

it('is signed with the secret of a client whose ID tokens are', async () => {
  const metadata = { id_token_signed_response_alg: 'HS512' };
  const { token } = await received({ metadata }, SECRET_KEEPER);
  const { claims } = await verifyJwt(token, {
    keys: (hint) => secretVerificationKeys([SECRET], hint),
    algorithms: ['HS512'],
    types: ['logout+jwt'],
    maxLength: 8192,
  });
  expect(claims).toMatchObject({ aud: 'c', sub: 'alice' });
});

it('is encrypted to a client whose ID tokens are', async () => {
  const metadata = {
    id_token_encrypted_response_alg: 'dir',
    id_token_encrypted_response_enc: 'A256GCM',
  };
  const { token } = await received({ metadata }, SECRET_KEEPER);
  const inner = await decryptJwt(token, {
    keys: (hint) => secretDecryptionKeys([SECRET], hint),
    algorithms: ['dir'],
    encryptions: ['A256GCM'],
    maxLength: 8192,
  });
  expect(decode(inner)).toMatchObject({ header: { alg: 'ES256' }, claims: { sub: 'alice' } });
});

it('is never sent unencrypted while the encryption key of the client is unavailable', async () => {
  const fixture = await createDeliveryFixture();
  const receiver = await aReceiver();
  await fixture.register('c', receiver.url, {
    metadata: { id_token_encrypted_response_alg: 'RSA-OAEP-256' },
  });
  fixture.deliver([receiver]);
  await fixture.logout(await fixture.login(['c']));
  await expect
    .poll(async () => (await fixture.list())[0], { timeout: 60_000 })
    .toMatchObject({ state: 'pending', lastError: 'no_encryption_key' });
  expect(receiver.received).toEqual([]);
});

it('gives up with a reason for a client that was deleted or expired in the meantime', async () => {
  const fixture = await createDeliveryFixture();
  const receiver = await aReceiver();
  await fixture.register('deleted', receiver.url);
  await fixture.register('expired', receiver.url);
  await fixture.logout(await fixture.login(['deleted', 'expired']));
  const now = nowSeconds(systemClock);
  expect(await fixture.store.database.clients.delete('deleted' as ClientId, now)).toBe(true);
  await fixture.sql(`UPDATE client SET expires_at = to_timestamp($1)`, [now]);
  fixture.deliver([receiver]);
  await fixture.until('dead', 2);
  const errors = (await fixture.list()).map(({ lastError }) => lastError);
  expect(errors).toEqual(['client_deleted', 'client_deleted']);
  expect(receiver.received).toEqual([]);
});

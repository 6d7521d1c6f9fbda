import { secureRandom } from '@vestibule/crypto';
import { activateDataKey, addDataKey, parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { activateSigningKey, addSigningKey, retireSigningKey } from '@vestibule/crypto/signing-keys';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER, type TestApp } from '../support/build-test-app.js';
import { information, pathOf, registered, registrationIn, send } from '../support/calls.js';
import { initialJwt } from '../support/initial-jwt.js';
import { race } from '../support/race.js';

type Instance = Pick<TestApp, 'app' | 'deps' | 'store'>;

const BODY = { redirect_uris: ['https://app.example/cb'] };

/** The operations of an operator on keys, one step at a time. */
function operatorOf({ clock, keys, store }: TestApp) {
  const data = {
    store: store.database.dataKeys,
    keyEncryptionKeys: parseKeyEncryptionKeys(keys),
    clock,
    random: secureRandom,
  };
  // Signing keys follow the time of the database, of which as much passes.
  let passedMs = 0;
  const ahead = { nowMs: () => store.clock.nowMs() + passedMs };
  const signing = { store: store.database.signingKeys, encryptor: store.encryptor, clock: ahead };
  const signs = { keySet: 'provider', use: 'sig', algorithm: 'ES256' } as const;
  return {
    add: async () => {
      const { id } = await addDataKey(data, 'digest');
      const { kid } = await addSigningKey(signing, signs);
      clock.advanceSeconds(60);
      passedMs += 60_000;
      return { id, kid };
    },
    activate: async ({ id, kid }: { readonly id: string; readonly kid: string }) => {
      await activateDataKey(data, id);
      await activateSigningKey(signing, {
        keySet: 'provider',
        kid,
        publishedSeconds: 3_600,
        cachedSeconds: 0,
      });
    },
    drop: (kid: string) =>
      retireSigningKey(signing, { keySet: 'provider', kid, publishedSeconds: 0, atOnce: true }),
  };
}

/** Reloads the keys of an instance, which it otherwise does every half minute. */
async function readKeys({ store }: Instance): Promise<void> {
  await store.reencrypt();
  await store.providerKeys.refresh();
}

/**
 * Issues initial access tokens of both kinds at one instance, registers with them at another, and continues with the
 * registration access token at any instance, so that each token is verified by an instance that did not issue it.
 */
async function failuresUnderLoad(
  instances: readonly [Instance, Instance],
  tokens: Tokens,
): Promise<readonly number[]> {
  const responses = await race(instances, 30, async (app, index) => {
    const [issuing, other] = index % 2 === 0 ? instances : [instances[1], instances[0]];
    const token = index % 3 === 0 ? await initialJwt(issuing) : await tokens.initialToken('client-reg');
    const client = information(await send(other.app, 'POST /clients', { token, body: BODY }));
    const path = pathOf(client.client_id);
    const own = { token: client.registration_access_token };
    const read = information(await send(issuing.app, `GET ${path}`, own));
    const changed = await send(app, `PUT ${path}`, { ...own, body: read });
    const { registration_access_token: next } = information(changed);
    return send(issuing.app, `DELETE ${path}`, { token: next });
  });
  return responses.map(({ status }) => status).filter((status) => status !== 204);
}

type Tokens = Pick<TestApp, 'initialToken'>;

// Otherwise a process would refuse a token that another one issued under a key that it does not have yet.
it('serves every request while digest keys and signing keys are added, activated and dropped', async () => {
  const service = await buildTestApp();
  const other = await service.anotherInstance();
  const operator = operatorOf(service);
  const kept = await registered(service.app);
  const early = await initialJwt(service);
  const { kid: before } = service.store.providerKeys.signingKey('ES256');
  const under = (step: Promise<unknown>) => Promise.all([failuresUnderLoad([service, other], service), step]);

  const adding = operator.add();
  expect((await under(adding))[0]).toEqual([]);
  await Promise.all([service, other].map(readKeys));
  expect((await under(operator.activate(await adding)))[0]).toEqual([]);
  // One of them issues tokens under the new keys, the other one still under the previous ones.
  await readKeys(other);
  expect(await failuresUnderLoad([service, other], service)).toEqual([]);
  await readKeys(service);
  expect(service.store.providerKeys.signingKey('ES256').kid).toBe((await adding).kid);
  information(await send(other.app, 'POST /clients', { token: early, body: BODY }));
  expect((await under(operator.drop(String(before))))[0]).toEqual([]);
  for (const token of [kept.registration_access_token, MASTER])
    expect(registrationIn(await send(other.app, `GET ${pathOf(kept.client_id)}`, { token }))).toEqual(kept);
});

import { type ClientSecret, operatorActor } from '@vestibule/clients';
import { importClient } from '@vestibule/clients/import';
import { rotateClientSecret } from '@vestibule/clients/management';
import { secureRandom, sha256 } from '@vestibule/crypto';
import {
  activateDataKey,
  addDataKey,
  DATA_KEY_SETTLE_MS,
  type Digest,
  type KeyEncryptionKeys,
  parseKeyEncryptionKeys,
} from '@vestibule/crypto/data-keys';
import { frozenClock } from '@vestibule/protocol/testing';
import { aClientId } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { buildTestConsole, type TestConsole } from '../../support/build-test-console.js';
import { shownPage } from '../../support/shown-page.js';
import { storedEvents } from '../../support/stored-events.js';

const ID = 'vestibule-console';
const operator = operatorActor('setup');

/** Key-encryption keys that the console does not have. */
const OTHERS = parseKeyEncryptionKeys(Buffer.from(sha256('other')).toString('base64url'));

/** A console whose client has a secret, with the frozen clock in the store too. */
async function consoleWithASecret() {
  const clock = frozenClock();
  const built = await buildTestConsole({}, { clock, isStoreFrozen: true });
  await importClient(built.deps.registration, {
    client: {
      kind: 'client',
      id: ID,
      metadata: { redirect_uris: ['https://console.example/login/callback'] },
      secret: { kind: 'none' },
      warnings: [],
    },
    operator,
    replacesExisting: false,
    issuesNewSecrets: true,
  });
  return built;
}

const dataKeys = ({ store, clock }: TestConsole, keyEncryptionKeys: KeyEncryptionKeys) => ({
  store: store.database.dataKeys,
  keyEncryptionKeys,
  clock,
  random: secureRandom,
});

const digestKeys = async ({ store }: TestConsole) =>
  (await store.database.dataKeys.list()).filter(({ purpose }) => purpose === 'digest');

/** Activates another digest key, and waits until the one before can be retired. Returns the identifiers of both. */
async function withAnotherKey(built: TestConsole): Promise<readonly [before: string, after: string]> {
  const dependencies = dataKeys(built, built.deps.keyEncryptionKeys);
  const before = (await digestKeys(built)).find(({ state }) => state === 'active')?.id ?? '';
  const { id } = await addDataKey(dependencies, 'digest');
  built.clock.advanceSeconds(DATA_KEY_SETTLE_MS / 1_000);
  await activateDataKey(dependencies, id);
  built.clock.advanceSeconds(DATA_KEY_SETTLE_MS / 1_000);
  await built.store.refreshDigestKeys();
  return [before, id];
}

/** Changes the stored secret of the client of the console. */
async function changeSecret(
  { store }: TestConsole,
  change: (secret: ClientSecret) => Partial<ClientSecret>,
): Promise<void> {
  const { clients } = store.database;
  const client = await clients.find(aClientId(ID));
  if (client?.secret === undefined) throw new TypeError('the client has no secret');
  const secret = { ...client.secret, ...change(client.secret) };
  await clients.replace({ client: { ...client, secret, version: client.version + 1 } });
}

/** A record that names another key than the one that encrypted it. */
const namingKey = ({ encrypted }: ClientSecret, keyId: string) => ({
  encrypted: encrypted.replace(/^v1\.[^.]+/, `v1.${keyId}`),
});

const retire = ({ post }: TestConsole, id: string) =>
  post(`/keys/${id}/retire`, { seen: 'pending', confirmation: id.slice(0, 8) });

it('does not retire the digest key under which the secret of the client of the console is stored', async () => {
  const built = await consoleWithASecret();
  const [before] = await withAnotherKey(built);
  const [keys, events] = [await digestKeys(built), await storedEvents(built)];
  for (const response of [await built.get(`/keys/${before}/retire`, 'admin'), await retire(built, before)]) {
    expect(response.status).toBe(409);
    const { alerts, links, forms } = shownPage(response);
    expect(alerts).toEqual([
      expect.stringMatching(/^Nothing was changed: the console logs people in with the client/),
    ]);
    expect(alerts[0]).toContain(`vestibule clients rotate-secret ${ID}`);
    expect(alerts[0]).toContain(`vestibule keys retire ${before}`);
    expect(Object.keys(links)).not.toContain('Retire the key');
    expect(forms.map(({ action }) => action)).toEqual(['/logout']);
  }
  expect(await digestKeys(built)).toEqual(keys);
  expect(await storedEvents(built)).toEqual(events);
});

it('retires it after the secret was rotated, and other digest keys at any time', async () => {
  const built = await consoleWithASecret();
  const [first, second] = await withAnotherKey(built);
  await withAnotherKey(built);
  expect((await retire(built, second)).status).toBe(303);
  expect((await retire(built, first)).status).toBe(409);
  await rotateClientSecret(built.deps.registration, { id: ID, operator });
  const { links } = shownPage(await built.get(`/keys/${first}`, 'admin'));
  expect(Object.keys(links)).toContain('Retire the key');
  expect((await retire(built, first)).status).toBe(303);
  const states = new Map((await digestKeys(built)).map(({ id, state }) => [id, state]));
  expect([states.get(first), states.get(second)]).toEqual(['retired', 'retired']);
});

it('retires digest keys if the client of the console has no secret', async () => {
  const built = await buildTestConsole({}, { clock: frozenClock(), isStoreFrozen: true });
  const [before] = await withAnotherKey(built);
  expect((await retire(built, before)).status).toBe(303);
});

it('does not retire a key that cannot be opened if the secret may be stored under it', async () => {
  const built = await consoleWithASecret();
  await withAnotherKey(built);
  const [known, unknown] = [
    await addDataKey(dataKeys(built, OTHERS), 'digest'),
    await addDataKey(dataKeys(built, OTHERS), 'digest'),
  ];
  built.clock.advanceSeconds(DATA_KEY_SETTLE_MS / 1_000);
  expect((await retire(built, known.id)).status).toBe(303);
  // A SHA-256 digest has the form of the keyed ones.
  await changeSecret(built, () => ({ digest: sha256('under the other key') as Digest }));
  const refused = await retire(built, unknown.id);
  expect(refused.status).toBe(409);
  expect(shownPage(refused).alerts[0]).toContain('whose secret may be stored under this key');
});

it.each([
  ['is encrypted under a key that cannot be opened', 'unopened'],
  ['is encrypted under a key that does not exist', 'unknown'],
  ['was changed', 'changed'],
] as const)('retires no digest key while the secret %s: it may be stored under any', async (_case, fault) => {
  const built = await consoleWithASecret();
  const [before] = await withAnotherKey(built);
  const { id: unopened } = await addDataKey(dataKeys(built, OTHERS), 'seal');
  await changeSecret(built, (secret) => {
    if (fault === 'changed') return { encrypted: `${secret.encrypted}A` };
    return namingKey(secret, fault === 'unopened' ? unopened : 'unknown');
  });
  const page = await built.get(`/keys/${before}`, 'admin');
  expect(page.status).toBe(200);
  expect(Object.keys(shownPage(page).links)).not.toContain('Retire the key');
  const keys = await digestKeys(built);
  for (const refused of [await built.get(`/keys/${before}/retire`, 'admin'), await retire(built, before)]) {
    expect(refused.status).toBe(409);
    expect(shownPage(refused).alerts[0]).toContain('whose secret may be stored under this key');
  }
  expect(await digestKeys(built)).toEqual(keys);
});

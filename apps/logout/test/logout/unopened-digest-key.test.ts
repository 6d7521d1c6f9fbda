import { randomBytes } from 'node:crypto';
import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys, rewrapDataKeys } from '@vestibule/crypto/data-keys';
import { useDigestKeyUnder } from '@vestibule/crypto/testing';
import { expect, it, onTestFinished } from 'vitest';
import { buildApp, composeLogout } from '../../src/index.js';
import { aTestService, BACK, COOKIE, openTestStore } from '../support/test-service.js';
import { fieldsOf, postDecision, submit, visit } from '../support/visit.js';

/**
 * Two instances, the second of which writes under a digest key that the first cannot decrypt until it is wrapped anew.
 */
async function instancesApart() {
  const here = await aTestService();
  const [own, foreign] = [here.encryptionKeys, randomBytes(32).toString('base64url')];
  const { clock, config, databaseUrl, store: held } = here;
  await here.register('a');
  const login = await here.logIn(['a']);
  const request = { id_token_hint: await here.idToken('a'), post_logout_redirect_uri: BACK };
  const { dataKeys } = held.database;
  await useDigestKeyUnder(foreign, { store: dataKeys, clock });
  const store = await openTestStore(databaseUrl, `${foreign},${own}`, clock);
  const there = buildApp(composeLogout(config, store, { clock }), { logger: false });
  onTestFinished(() => there.close());
  await held.refreshDigestKeys();
  const rewrap = async () => {
    const keyEncryptionKeys = parseKeyEncryptionKeys(`${own},${foreign}`);
    await rewrapDataKeys({ store: dataKeys, keyEncryptionKeys, clock, random: secureRandom });
    await held.refreshDigestKeys();
  };
  const value = randomBytes(16).toString('hex');
  const digest = Buffer.from(store.digester.digest('session-cookie', value));
  const away = { cookie: `${COOKIE}=${value}` };
  /** Moves the session under that key. */
  const moveLogin = () => here.sql('UPDATE session SET cookie_digest = $1 WHERE id = $2', [digest, login.id]);
  return { here, there, login, away, moveLogin, request, rewrap };
}

it('claims no logout for an end-user whose session may be under a digest key that cannot be decrypted', async () => {
  const { here, away, moveLogin, request, rewrap } = await instancesApart();
  await moveLogin();
  const fault = await visit(here.app, request, away);
  expect([fault.status, fault.setCookie]).toEqual([500, undefined]);
  expect(await here.sql('SELECT FROM session')).toHaveLength(1);
  await rewrap();
  const landed = await postDecision(here.app, await visit(here.app, request, away), 'accept', away);
  expect([landed.status, landed.location]).toEqual([303, BACK]);
  expect(await here.sql('SELECT FROM session')).toEqual([]);
});

it('does not evaluate a confirmation that may have been issued under such a key', async () => {
  const { here, there, login, request, rewrap } = await instancesApart();
  const confirmationPage = await visit(there, request, login);
  const form = { ...fieldsOf(confirmationPage), decision: 'accept' };
  expect((await submit(here.app, form, login)).status).toBe(500);
  expect(await here.sql('SELECT FROM session')).toHaveLength(1);
  await rewrap();
  expect((await submit(here.app, form, login)).location).toBe(BACK);
});

it('still ends a session under the keys that it holds', async () => {
  const { here, login, request } = await instancesApart();
  const landed = await postDecision(here.app, await visit(here.app, request, login), 'accept', login);
  expect([landed.status, landed.location]).toEqual([303, BACK]);
  expect(await here.sql('SELECT FROM session')).toEqual([]);
});

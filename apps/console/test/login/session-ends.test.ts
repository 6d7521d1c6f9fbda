import { secureRandom } from '@vestibule/crypto';
import { activateDataKey, addDataKey, DATA_KEY_SETTLE_MS, retireDataKey } from '@vestibule/crypto/data-keys';
import { nowSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import type { SessionContent } from '../../src/login/session-cookie.js';
import { buildTestConsole, ISSUER, type TestConsole } from '../support/build-test-console.js';

/** A session as a login without a stored session at the provider makes it. */
function aSession({ clock }: TestConsole, deviations: Partial<SessionContent> = {}): SessionContent {
  return {
    id: 'one',
    operator: { subject: 'ada', name: 'Ada', role: 'admin', actor: 'operator:ada' },
    formToken: 'form-token',
    issuer: ISSUER,
    isStored: false,
    loggedInAtMs: clock.nowMs(),
    expiresAt: nowSeconds(clock) + 3_600,
    ...deviations,
  };
}

/** Replaces the digest key of a store, and retires the one before. */
async function replaceDigestKey({ store, deps }: TestConsole): Promise<void> {
  const { dataKeys } = store.database;
  let aheadMs = 0;
  const clock = { nowMs: () => store.clock.nowMs() + aheadMs };
  const keys = { store: dataKeys, keyEncryptionKeys: deps.keyEncryptionKeys, clock, random: secureRandom };
  const earlier = (await dataKeys.list()).filter(({ purpose }) => purpose === 'digest');
  const { id } = await addDataKey(keys, 'digest');
  aheadMs += DATA_KEY_SETTLE_MS;
  await activateDataKey(keys, id);
  aheadMs += DATA_KEY_SETTLE_MS;
  for (const key of earlier) await retireDataKey(keys, key.id);
  await store.refreshDigestKeys();
}

it('ends for good: also when the digest key of its time is replaced and retired', async () => {
  const built = await buildTestConsole();
  const { ends, store } = built;
  const value = 'a token';
  const digest = store.digester.digest('access-token', value);
  const [own, ofSid, ofPerson] = [
    aSession(built, { sid: 's1' }),
    aSession(built, { id: 'two', sid: 's2' }),
    aSession(built, { id: 'three', sid: 's3', operator: { ...aSession(built).operator, subject: 'bob' } }),
  ];
  await ends.endOwn(own);
  await ends.endOfLogout({ issuer: ISSUER, sid: 's2' });
  await ends.endOfLogout({ issuer: ISSUER, subject: 'bob' });
  await replaceDigestKey(built);
  // The key is retired: what is digested under it is no longer found.
  expect(store.digester.availableDigests('access-token', value)).not.toContainEqual(digest);
  for (const session of [own, ofSid, ofPerson]) expect(await ends.hasEnded(session)).toBe(true);
});

describe('a logout token', () => {
  const FORMS = {
    'with sid and sub': { sid: 's1', subject: 'ada' },
    'with sid only': { sid: 's1' },
    'with sub only': { subject: 'ada' },
  } as const;
  const endedBy = async (form: keyof typeof FORMS) => {
    const built = await buildTestConsole();
    const person = (subject: string) => ({ operator: { ...aSession(built).operator, subject } });
    const sessions = {
      'its session': aSession(built, { id: 'a', sid: 's1' }),
      'another session of the person': aSession(built, { id: 'b', sid: 's2' }),
      'one of the person without sid': aSession(built, { id: 'c' }),
      'one of another person': aSession(built, { id: 'd', sid: 's3', ...person('bob') }),
      'one of another person without sid': aSession(built, { id: 'e', ...person('bob') }),
      'one of another provider': aSession(built, { id: 'f', sid: 's1', issuer: 'https://other.example' }),
      'one of another provider without sid': aSession(built, { id: 'g', issuer: 'https://other.example' }),
    };
    built.clock.advanceSeconds(60);
    await built.ends.endOfLogout({ issuer: ISSUER, ...FORMS[form] });
    const ended = [];
    for (const [name, session] of Object.entries(sessions))
      if (await built.ends.hasEnded(session)) ended.push(name);
    built.clock.advanceSeconds(1);
    // A later login is none of those that have ended, with or without a name of its own.
    expect(await built.ends.hasEnded(aSession(built, { id: 'h' }))).toBe(false);
    expect(await built.ends.hasEnded(aSession(built, { id: 'i', sid: 's9' }))).toBe(false);
    return ended;
  };

  it('with sid and sub ends that session, and those of the person that cannot be distinguished from it', async () => {
    expect(await endedBy('with sid and sub')).toEqual(['its session', 'one of the person without sid']);
  });

  it('with sid only ends that session, and those of the provider that cannot be distinguished from it', async () => {
    expect(await endedBy('with sid only')).toEqual([
      'its session',
      'one of the person without sid',
      'one of another person without sid',
    ]);
  });

  it('with sub only ends all sessions of the person', async () => {
    expect(await endedBy('with sub only')).toEqual([
      'its session',
      'another session of the person',
      'one of the person without sid',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { DATA_KEY_SETTLE_MS } from '../data-keys/data-key-rotation.js';
import {
  cachedSeconds,
  es256,
  keyRingFixture,
  publishedSeconds,
  sign,
  verify,
} from '../testing/key-ring-fixture.js';
import { KeyStateError } from './key-state-error.js';
import {
  activateSigningKey,
  addSigningKey,
  ensureSigningKey,
  retireSigningKey,
  signingKeyOverlapSeconds,
} from './signing-key-management.js';

describe('rotating a signing key', () => {
  it('fails no token and no process at any step', async () => {
    const { clock, dependencies, open } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    const [a, b] = [await open(), await open()];
    const before = await sign(a);

    const { kid } = await addSigningKey(dependencies, es256);
    await a.refresh();
    expect(a.signingKey('ES256').kid).not.toBe(kid);
    expect(a.publicJwks().keys.map((key) => key.kid)).toContain(kid);

    clock.advanceSeconds(signingKeyOverlapSeconds(cachedSeconds));
    await activateSigningKey(dependencies, { keySet: 'provider', kid, publishedSeconds, cachedSeconds });
    await a.refresh();
    const after = await sign(a);
    expect(a.signingKey('ES256').kid).toBe(kid);
    // b has not read the keys since it started.
    for (const ring of [a, b]) for (const token of [before, after]) await verify(ring, token);
    expect(b.signingKey('ES256').kid).toBe(kid);
  });

  it('drops a retired key when what it signed has expired, without another read', async () => {
    const { clock, dependencies, open } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    const ring = await open();
    const before = await sign(ring);
    const { kid } = await addSigningKey(dependencies, es256);
    await activateSigningKey(dependencies, { keySet: 'provider', kid, publishedSeconds, atOnce: true });
    await ring.refresh();

    clock.advanceSeconds(publishedSeconds - 1);
    await verify(ring, before);
    expect(ring.publicJwks().keys).toHaveLength(2);
    clock.advanceSeconds(1);
    await expect(verify(ring, before)).rejects.toMatchObject({ reason: 'key' });
    expect(ring.publicJwks().keys.map((key) => key.kid)).toEqual([kid]);
  });

  it('drops a compromised key at once after another key was activated', async () => {
    const { dependencies, open } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    const ring = await open();
    const forged = await sign(ring);
    const compromised = {
      keySet: 'provider' as const,
      kid: ring.signingKey('ES256').kid ?? '',
      publishedSeconds: 0,
      atOnce: true as const,
    };
    await expect(retireSigningKey(dependencies, compromised)).rejects.toThrow(KeyStateError);

    const { kid } = await addSigningKey(dependencies, es256);
    await activateSigningKey(dependencies, { keySet: 'provider', kid, publishedSeconds, atOnce: true });
    await retireSigningKey(dependencies, compromised);
    await ring.refresh();
    await expect(verify(ring, forged)).rejects.toMatchObject({ reason: 'key' });
  });

  it('activates no key before every cached key set contains it, unless it must sign at once', async () => {
    const { clock, dependencies } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    const { kid } = await addSigningKey(dependencies, es256);
    const change = { keySet: 'provider', kid, publishedSeconds, cachedSeconds } as const;
    clock.advanceSeconds(DATA_KEY_SETTLE_MS / 1000 + cachedSeconds - 1);
    await expect(activateSigningKey(dependencies, change)).rejects.toThrow(/for another 1 seconds/);
    clock.advanceSeconds(1);
    await activateSigningKey(dependencies, change);
    const urgent = await addSigningKey(dependencies, es256);
    const { cachedSeconds: _notWaitedFor, ...urgentChange } = change;
    await activateSigningKey(dependencies, { ...urgentChange, kid: urgent.kid, atOnce: true });
  });

  it('keeps a key published while cached key sets may lack its successor, unless it must be dropped at once', async () => {
    const { clock, store, dependencies } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    const earlier = store.rows[0]?.kid ?? '';
    const { kid } = await addSigningKey(dependencies, es256);
    const overlapSeconds = signingKeyOverlapSeconds(cachedSeconds);
    clock.advanceSeconds(overlapSeconds);
    const change = { keySet: 'provider', cachedSeconds } as const;
    const [tooShort, enough] = [overlapSeconds - 1, overlapSeconds];
    const activate = (published: number) =>
      activateSigningKey(dependencies, { ...change, kid, publishedSeconds: published });
    const retire = (published: number) =>
      retireSigningKey(dependencies, { ...change, kid: earlier, publishedSeconds: published });
    await expect(activate(tooShort)).rejects.toThrow(/must stay published for at least \d+ seconds/);
    await activate(enough);
    await expect(retire(tooShort)).rejects.toThrow(/must stay published for at least \d+ seconds/);
    // The time of its last signature counts, not the time of the command.
    clock.advanceSeconds(cachedSeconds);
    await expect(retire(tooShort - cachedSeconds)).rejects.toThrow(
      /must stay published for at least \d+ seconds/,
    );
    await retire(enough - cachedSeconds);
    await retireSigningKey(dependencies, {
      keySet: 'provider',
      kid: earlier,
      publishedSeconds: 0,
      atOnce: true,
    });
    expect(store.rows.find((row) => row.kid === earlier)?.expiresAt).toBe(Math.floor(clock.nowMs() / 1000));
  });

  it('activates pending keys only', async () => {
    const { dependencies, store } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    const retired = await addSigningKey(dependencies, es256);
    await retireSigningKey(dependencies, {
      keySet: 'provider',
      kid: retired.kid,
      publishedSeconds,
      cachedSeconds,
    });
    for (const kid of [store.rows[0]?.kid ?? '', retired.kid, 'unknown'])
      await expect(
        activateSigningKey(dependencies, { keySet: 'provider', kid, publishedSeconds, atOnce: true }),
      ).rejects.toThrow(KeyStateError);
    const foreign = await addSigningKey(dependencies, { ...es256, keySet: 'federation' });
    await expect(
      activateSigningKey(dependencies, {
        keySet: 'provider',
        kid: foreign.kid,
        publishedSeconds,
        atOnce: true,
      }),
    ).rejects.toThrow(KeyStateError);
  });

  it('signs with the newest of two active keys, which an interrupted rotation leaves', async () => {
    const { clock, store, dependencies, open } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    clock.advanceSeconds(1);
    const added = await addSigningKey(dependencies, es256);
    await store.update({ ...added, state: 'active', activatedAt: added.createdAt });
    expect((await open()).signingKey('ES256').kid).toBe(added.kid);
  });
});

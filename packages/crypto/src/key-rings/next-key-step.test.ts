import { epochSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { DATA_KEY_SETTLE_MS } from '../data-keys/data-key-rotation.js';
import type { WrappedDataKey } from '../data-keys/data-key-store.js';
import type { StoredSigningKey } from '../signing-keys/signing-key-store.js';
import type { ListedKey } from './listed-key.js';
import { nextKeyStep } from './next-key-step.js';

const CREATED_S = 1_780_000_000;
const CREATED_MS = CREATED_S * 1_000;
const CACHED = { provider: 300, federation: 604_800 };

function pair(deviation: Partial<StoredSigningKey>): ListedKey {
  const key: StoredSigningKey = {
    kid: 'k',
    keySet: 'provider',
    use: 'sig',
    algorithm: 'ES256',
    state: 'active',
    publicJwk: {},
    privateJwkEncrypted: '',
    createdAt: epochSeconds(CREATED_S),
    ...deviation,
  };
  return { kind: 'signing', key };
}

function dataKey(deviation: Partial<WrappedDataKey>): ListedKey {
  const key: WrappedDataKey = {
    id: 'd',
    purpose: 'digest',
    state: 'active',
    wrapped: '',
    keyEncryptionKeyId: 'k',
    createdAtMs: CREATED_MS,
    ...deviation,
  };
  return { kind: 'data', key };
}

const stepOf = (listed: ListedKey, others: readonly ListedKey[] = []) =>
  nextKeyStep(listed, [...others, listed], (keySet) => CACHED[keySet]);

describe('what comes next for a key pair', () => {
  it('is to sign when every cached copy of its key set has it', () => {
    const settled = CREATED_MS + DATA_KEY_SETTLE_MS;
    expect(stepOf(pair({ state: 'pending' }))).toEqual({ step: 'activate', fromMs: settled + 300_000 });
    expect(stepOf(pair({ state: 'pending', keySet: 'federation' }))).toEqual({
      step: 'activate',
      fromMs: settled + 604_800_000,
    });
  });

  it('is nothing while it is active, and to be published no longer when it is retired', () => {
    expect(stepOf(pair({}))).toEqual({ step: 'stay' });
    const expiresAt = epochSeconds(CREATED_S + 60);
    expect(stepOf(pair({ state: 'retired', expiresAt }))).toEqual({
      step: 'leave',
      atMs: CREATED_MS + 60_000,
    });
    expect(stepOf(pair({ state: 'retired' }))).toEqual({ step: 'none' });
  });
});

describe('what comes next for a data key', () => {
  const later = { id: 'later', createdAtMs: CREATED_MS + 5_000 };

  it('is to be used when every process has it', () => {
    const pending = dataKey({ ...later, state: 'pending' });
    expect(stepOf(pending, [dataKey({})])).toEqual({
      step: 'activate',
      fromMs: CREATED_MS + 5_000 + DATA_KEY_SETTLE_MS,
    });
  });

  it('is to be retired for a digest key that was replaced, when nothing is written under it any more', () => {
    const replaced = dataKey({ state: 'pending' });
    const current = dataKey({ ...later, activatedAtMs: CREATED_MS + 90_000 });
    expect(stepOf(replaced, [current])).toEqual({
      step: 'retire',
      fromMs: CREATED_MS + 90_000 + DATA_KEY_SETTLE_MS,
    });
  });

  it('does not depend on the keys of another purpose', () => {
    const replaced = dataKey({ state: 'pending' });
    const others = [dataKey({ id: 'seal', purpose: 'seal', createdAtMs: 0 }), dataKey(later)];
    expect(stepOf(replaced, others)).toMatchObject({ step: 'retire' });
  });

  it('is nothing while it is active, nor when it is retired', () => {
    expect(stepOf(dataKey({}))).toEqual({ step: 'stay' });
    expect(stepOf(dataKey({ state: 'retired' }), [dataKey(later)])).toEqual({ step: 'none' });
  });
});

import { inspect } from 'node:util';
import { KeyStateError } from '@vestibule/crypto/signing-keys';
import { expect, it } from 'vitest';
import { providerHost } from './provider-host.js';

/** A key ring whose keys the test changes: active keys sign. */
function keyRing() {
  const state = { published: ['a'], signing: 'a', fails: false, nowMs: 0 };
  const keys = {
    publicJwks: () => ({ keys: state.published.map((kid) => ({ kty: 'RSA', alg: 'RS256', kid })) }),
    signingKey: () => {
      if (state.signing === '') throw new KeyStateError('there is no active signing key for the algorithm');
      return { algorithm: 'RS256', kid: state.signing } as never;
    },
  };
  const problems: unknown[] = [];
  let attempts = 0;
  const host = providerHost({
    keys,
    openPrivateKeys: async () => state.published.map((kid) => ({ kty: 'RSA', kid })),
    create: (privateKeys) => {
      attempts += 1;
      if (state.fails) throw new TypeError('no use');
      return { kids: privateKeys.map(({ kid }) => kid) };
    },
    onProblem: (problem) => problems.push(problem),
    monotonic: () => state.nowMs,
  });
  return { state, host, problems, attempts: () => attempts };
}

it('keeps its provider while the keys stay as they are', async () => {
  const { host } = keyRing();
  const first = await host.current();
  expect(first.kids).toEqual(['a']);
  expect(await host.current()).toBe(first);
});

it('creates one provider for parallel first uses', async () => {
  const { host } = keyRing();
  const [first, second] = await Promise.all([host.current(), host.current()]);
  expect(second).toBe(first);
});

it('creates another provider when a key is added, and when another one signs', async () => {
  const { state, host } = keyRing();
  const first = await host.current();
  state.published.push('b');
  const second = await host.current();
  expect([second === first, second.kids]).toEqual([false, ['a', 'b']]);
  state.signing = 'b';
  const third = await host.current();
  expect(third).not.toBe(second);
  state.signing = '';
  expect(await host.current()).not.toBe(third);
});

it('keeps the previous provider when one for changed keys cannot be created, reports it once, and tries again after a second', async () => {
  const { state, host, problems, attempts } = keyRing();
  const first = await host.current();
  state.published.push('b');
  state.fails = true;
  for (let request = 0; request < 20; request += 1) expect(await host.current()).toBe(first);
  expect([problems, attempts()]).toEqual([[new TypeError('no use')], 2]);
  state.nowMs = 1_000;
  expect(await host.current()).toBe(first);
  expect([problems.length, attempts()]).toEqual([1, 3]);
  state.fails = false;
  expect(await host.current()).toBe(first);
  state.nowMs = 2_000;
  expect((await host.current()).kids).toEqual(['a', 'b']);
  expect(problems).toHaveLength(1);
});

it('tries at once when the keys change again', async () => {
  const { state, host } = keyRing();
  await host.current();
  state.published.push('b');
  state.fails = true;
  await host.current();
  state.fails = false;
  state.published.push('c');
  expect((await host.current()).kids).toEqual(['a', 'b', 'c']);
});

it('does not serve with the previous provider once a key that it signs with is no longer published', async () => {
  const { state, host } = keyRing();
  const first = await host.current();
  state.fails = true;
  state.published = ['a', 'b'];
  state.signing = 'b';
  expect(await host.current()).toBe(first);
  state.published = ['b'];
  for (let request = 0; request < 2; request += 1) await expect(host.current()).rejects.toThrow('no use');
  state.fails = false;
  state.nowMs = 1_000;
  expect((await host.current()).kids).toEqual(['b']);
});

it('reports no private key of the ring, wherever the error has it', async () => {
  const key = { kty: 'EC', kid: 'a', d: 'private-value-of-the-key' };
  const errors = [
    new TypeError('duplicate kid', { cause: key }),
    new TypeError('duplicate kid', { cause: new Error('inner', { cause: key }) }),
    Object.assign(new TypeError('duplicate kid'), { actual: { keys: [key] } }),
    new TypeError(`cannot use ${JSON.stringify(key)}`),
    JSON.stringify(key),
  ];
  for (const error of errors) {
    const host = providerHost({
      keys: { publicJwks: () => ({ keys: [] }), signingKey: () => ({}) as never },
      openPrivateKeys: async () => [key],
      create: () => {
        throw error;
      },
      onProblem: () => undefined,
    });
    const thrown: unknown = await host.current().catch((reason: unknown) => reason);
    expect(inspect(thrown, { depth: 9, showHidden: true })).not.toContain(key.d);
    const isQuoting = String(error).includes(key.d);
    expect(String(thrown)).toContain(isQuoting ? 'withheld' : 'duplicate kid');
  }
});

it('rejects when the first provider cannot be created', async () => {
  const { state, host } = keyRing();
  state.fails = true;
  await expect(host.current()).rejects.toThrow('no use');
});

import { KeyStateError } from '@vestibule/crypto/signing-keys';
import { expect, it } from 'vitest';
import { providerHost } from './provider-host.js';

/** A key ring whose keys the test changes: active keys sign. */
function keyRing() {
  const state = { published: ['a'], signing: 'a', fails: false };
  const keys = {
    publicJwks: () => ({ keys: state.published.map((kid) => ({ kty: 'RSA', alg: 'RS256', kid })) }),
    signingKey: () => {
      if (state.signing === '') throw new KeyStateError('there is no active signing key for the algorithm');
      return { algorithm: 'RS256', kid: state.signing } as never;
    },
  };
  const problems: unknown[] = [];
  const host = providerHost({
    keys,
    openPrivateKeys: async () => state.published.map((kid) => ({ kty: 'RSA', kid })),
    create: (privateKeys) => {
      if (state.fails) throw new TypeError('no use');
      return { kids: privateKeys.map(({ kid }) => kid) };
    },
    onProblem: (problem) => problems.push(problem),
  });
  return { state, host, problems };
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

it('keeps the previous provider when one for changed keys cannot be created, reports it once, and tries again', async () => {
  const { state, host, problems } = keyRing();
  const first = await host.current();
  state.published.push('b');
  state.fails = true;
  expect(await host.current()).toBe(first);
  expect(await host.current()).toBe(first);
  expect(problems).toEqual([new TypeError('no use')]);
  state.fails = false;
  expect((await host.current()).kids).toEqual(['a', 'b']);
});

it('rejects when the first provider cannot be created', async () => {
  const { state, host } = keyRing();
  state.fails = true;
  await expect(host.current()).rejects.toThrow('no use');
});

import { parseClientId } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import type { IsolatedToken } from './isolated-token.js';
import { tokenPool } from './token-pool.js';

function aToken(index: number): IsolatedToken {
  const name = parseClientId(`client-${index}`);
  if (name === undefined) throw new TypeError('not a name');
  return { name, token: `token-${index}`, format: 'identifier', expiresAtMs: 0 };
}

it('takes tokens in the order in which they were added, and keeps the most recently ended ones for requests', () => {
  const pool = tokenPool();
  expect([pool.pick(), pool.takeOldest()]).toEqual([undefined, undefined]);
  const tokens = Array.from({ length: 1_800 }, (_, index) => aToken(index));
  for (const token of tokens) pool.add(token);
  for (const token of tokens.slice(0, 1_799)) expect(pool.takeOldest()).toBe(token);
  const picked = new Set(Array.from({ length: 100_000 }, () => pool.pick()));
  expect(picked.has(tokens[1_799])).toBe(true);
  expect(picked.has(tokens[1_798])).toBe(true);
  expect(picked.has(tokens[0])).toBe(false);
  expect([pool.live, pool.all.length]).toEqual([1, 1_800]);
  expect([pool.takeAny(), pool.live, pool.takeAny()]).toEqual([tokens[1_799], 0, undefined]);
});

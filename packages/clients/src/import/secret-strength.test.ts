import { expect, it } from 'vitest';
import { isWeakSecret } from './secret-strength.js';

it.each([
  ['0123456789', true],
  ['a'.repeat(27), true],
  ['a'.repeat(28), true],
  ['0123456789abcdef0123456789abcde', true],
  ['0123456789abcdef0123456789abcdef', false],
  ['123E4567E89B12D3A456426614174000', false],
  ['123e4567-e89b-12d3-a456-426614174000', false],
  ['z'.repeat(27), true],
  ['z'.repeat(28), false],
  ['aB3'.repeat(7), true],
  ['aB3'.repeat(8), false],
])('%s has fewer than 128 bits: %s', (secret, isWeak) => {
  expect(isWeakSecret(secret)).toBe(isWeak);
});

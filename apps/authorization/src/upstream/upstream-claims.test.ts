import { expect, it } from 'vitest';
import { upstreamAccount } from './upstream-claims.js';

it('keeps the standard claims, and takes the name from preferred_username, else from email', () => {
  const claims = {
    email: 'ada@example.com',
    email_verified: true,
    updated_at: 1_767_225_600,
    address: { formatted: '1 Street\nTown', country: 'GB' },
  };
  const others = { iss: 'https://idp.example', sub: '1', groups: ['admin'], dat: { role: 'root' } };
  expect(upstreamAccount({ ...claims, ...others })).toEqual({ username: 'ada@example.com', claims });
  expect(upstreamAccount({ ...claims, preferred_username: 'ada' }).username).toBe('ada');
  expect(upstreamAccount({ sub: '1' })).toEqual({ claims: {} });
});

it.each([
  ['name', 'a\u0000b'],
  ['name', 'a\ud800'],
  ['name', 'x'.repeat(2_049)],
  ['name', ['Ada']],
  ['name', null],
  ['updated_at', 1.5],
  ['address', { formatted: { deep: 'x' } }],
  ['address', { formatted: '\u0007' }],
])('leaves out %s with a value that is not a claim or that a store cannot keep', (name, value) => {
  expect(upstreamAccount({ [name]: value, nickname: 'ada' }).claims).toEqual({ nickname: 'ada' });
});

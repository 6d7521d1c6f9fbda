import { expect, it } from 'vitest';
import { DomainError } from './domain-error.js';

it('separates the public description from the logged detail', () => {
  const cause = new Error('database says no');
  const error = new DomainError('invalid_client', 'The client is unknown.', {
    detail: 'secret expired',
    cause,
  });
  expect(error).toMatchObject({
    name: 'DomainError',
    code: 'invalid_client',
    description: 'The client is unknown.',
  });
  expect(error.message).toBe('secret expired');
  expect(error.cause).toBe(cause);
});

it('has its description as message, and no cause, unless given', () => {
  const error = new DomainError('invalid_request', 'The request is malformed.');
  expect(error.message).toBe('The request is malformed.');
  expect(error.detail).toBeUndefined();
  expect('cause' in error).toBe(false);
});

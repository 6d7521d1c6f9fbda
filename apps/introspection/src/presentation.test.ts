import { InvalidClientError } from '@vestibule/client-auth';
import { presenterOf } from '@vestibule/http/errors';
import { DomainError, ERROR_CODES } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { INTROSPECTION_ERRORS } from './presentation.js';

const present = (error: DomainError) => presenterOf(INTROSPECTION_ERRORS, error.code)(error);

describe('INTROSPECTION_ERRORS', () => {
  it('has only the statuses and error codes of introspection/API.md#errors and those for methods and rate limits', () => {
    const responses = ERROR_CODES.map((code) => present(new DomainError(code, 'A sentence')));
    const wire = responses.map(({ status, body = '{}' }) =>
      `${status} ${JSON.parse(body).error ?? ''}`.trim(),
    );
    expect([...new Set(wire)].toSorted()).toEqual([
      '400 invalid_request',
      '401 invalid_client',
      '403 access_denied',
      '404',
      '405',
      '429 too_many_requests',
      '500',
    ]);
  });

  it('challenges with the scheme that the caller used, and with Basic if it used none', () => {
    const challenge = (error: DomainError) => present(error).headers?.['www-authenticate'];
    expect(challenge(new InvalidClientError('detail', 'Bearer'))).toMatch(/^Bearer /);
    for (const error of [new InvalidClientError('detail'), new DomainError('invalid_client', 'x')])
      expect(challenge(error)).toMatch(/^Basic realm="[^"]+", charset="UTF-8"$/);
  });

  it('has Retry-After when a caller is throttled', () => {
    const response = present(new DomainError('too_many_requests', 'Too many requests'));
    expect(response.headers).toMatchObject({ 'retry-after': '1' });
  });
});

import { DomainError, ERROR_CODES, ThrottledError } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { sampleErrors } from '../testing/index.js';
import { bearerChallenge } from './bearer.js';
import { emptyError, JSON_CONTENT_TYPE, jsonError, presenterOf, throttledError } from './error-table.js';

const HOSTILE = ['"', '\\', '\r\nX-Evil: 1', '\n', '\0', '\u2028', '😀', 'é', '", error="none', '\x7f'];

/** Parses `WWW-Authenticate` (RFC 9110 section 11.6.1): a scheme, then comma-separated parameters. */
function parseChallenge(header: string): Record<string, string> {
  const [scheme, ...rest] = header.split(/ (.*)/s);
  expect(scheme).toBe('Bearer');
  const params = rest[0] ?? '';
  const PARAM = /(?:^|, )([a-z_]+)="([\x20\x21\x23-\x5b\x5d-\x7e]*)"/gy;
  const found = [...params.matchAll(PARAM)];
  expect(found.map(([whole]) => whole).join('')).toBe(params);
  return Object.fromEntries(found.map(([, name, value]) => [name, value]));
}

describe('bearerChallenge', () => {
  it('has no error in the header if there was no token (RFC 6750 section 3.1), and states in JSON what is missing', () => {
    const response = bearerChallenge(401)(new DomainError('missing_token', 'A token is needed'));
    expect(response).toEqual({
      status: 401,
      headers: { 'content-type': JSON_CONTENT_TYPE, 'www-authenticate': 'Bearer' },
      body: '{"error":"missing_token","error_description":"A token is needed"}',
    });
  });

  it('separates its parameters by commas (registration/API.md#errors)', () => {
    const error = new DomainError('insufficient_scope', 'The token is too weak', { scope: 'client-reg' });
    expect(bearerChallenge(403, { error: 'insufficient_scope' })(error)).toEqual({
      status: 403,
      body: '{"error":"insufficient_scope","error_description":"The token is too weak"}',
      headers: {
        'content-type': JSON_CONTENT_TYPE,
        'www-authenticate':
          'Bearer error="insufficient_scope", error_description="The token is too weak", scope="client-reg"',
      },
    });
  });

  it('can be parsed strictly whatever the description contains', () => {
    for (const text of HOSTILE) {
      const error = new DomainError('insufficient_scope', `a${text}b`, { scope: text });
      const header = bearerChallenge(403, { error: 'insufficient_scope' })(error).headers;
      const params = parseChallenge(header?.['www-authenticate'] ?? '');
      expect(Object.keys(params)).toEqual(['error', 'error_description', 'scope']);
      expect(params['error']).toBe('insufficient_scope');
    }
  });
});

describe('jsonError', () => {
  it('contains the code and a description in the characters of RFC 6749 section 5.2', () => {
    for (const text of HOSTILE) {
      const { status, headers, body } = jsonError(400)(new DomainError('invalid_request', `a${text}b`));
      expect(status).toBe(400);
      expect(headers).toEqual({ 'content-type': JSON_CONTENT_TYPE });
      const parsed = JSON.parse(body ?? '');
      expect(Object.keys(parsed)).toEqual(['error', 'error_description']);
      expect(parsed.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
    }
  });

  it('uses the error code of the route group if it has its own', () => {
    const { body } = jsonError(400, 'invalid_request')(new DomainError('precondition_failed', 'Changed'));
    expect(body).toBe('{"error":"invalid_request","error_description":"Changed"}');
  });
});

describe('throttledError', () => {
  it('sends Retry-After in whole seconds', () => {
    const present = throttledError(emptyError(429));
    expect(present(new ThrottledError(1.2, 'x'))).toEqual({ status: 429, headers: { 'retry-after': '2' } });
    expect(present(new ThrottledError(0, 'x')).headers).toEqual({ 'retry-after': '1' });
    expect(present(new DomainError('too_many_requests', 'x')).headers).toEqual({ 'retry-after': '1' });
  });
});

it('shows neither the detail nor the cause of any error', () => {
  for (const code of ERROR_CODES) {
    const error = new DomainError(code, 'Public', { detail: 'PRIVATE', cause: new Error('PRIVATE') });
    expect(JSON.stringify(presenterOf(sampleErrors, code)(error))).not.toContain('PRIVATE');
  }
});

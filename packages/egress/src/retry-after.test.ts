import { frozenClock } from '@vestibule/protocol/testing';
import { describe, expect, it } from 'vitest';
import { parseMediaType } from './media-type.js';
import { parseRetryAfter } from './retry-after.js';

describe('parseRetryAfter', () => {
  const clock = frozenClock(Date.UTC(2026, 5, 1, 12, 0, 0, 500));

  it('reads seconds and HTTP dates, between now and a day ahead', () => {
    expect(parseRetryAfter('0', clock)).toBe(0);
    expect(parseRetryAfter('120', clock)).toBe(120);
    expect(parseRetryAfter('999999999999999', clock)).toBe(86_400);
    expect(parseRetryAfter('Mon, 01 Jun 2026 12:01:00 GMT', clock)).toBe(60);
    expect(parseRetryAfter('Mon, 01 Jun 2026 11:00:00 GMT', clock)).toBe(0);
    expect(parseRetryAfter('Tue, 01 Jun 2027 12:00:00 GMT', clock)).toBe(86_400);
  });

  it('treats anything else as a missing header', () => {
    for (const value of [
      undefined,
      '',
      '-1',
      '1.5',
      '1e9',
      ' 1',
      '9'.repeat(16),
      'soon',
      '2026-06-01',
      ['1', '2'],
    ]) {
      expect([value, parseRetryAfter(value, clock)]).toEqual([value, undefined]);
    }
    expect(parseRetryAfter('Mon, 99 Xyz 2026 12:00:00 GMT', clock)).toBeUndefined();
  });
});

describe('parseMediaType', () => {
  it('drops parameters and lower-cases the type', () => {
    for (const value of [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;',
    ]) {
      expect([value, parseMediaType(value)]).toEqual([value, 'application/json']);
    }
    expect(parseMediaType('application/jwk-set+json')).toBe('application/jwk-set+json');
  });

  it('refuses headers that are missing, repeated or malformed', () => {
    const bad = [
      undefined,
      '',
      'json',
      'application/',
      '/json',
      'application/json, text/html',
      'application /json',
    ];
    for (const value of [
      ...bad,
      ['application/json', 'text/html'],
      ' application/json',
      'application/json x',
    ]) {
      expect([value, parseMediaType(value)]).toEqual([value, undefined]);
    }
  });
});

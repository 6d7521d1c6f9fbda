import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOGOUT_PARAMETERS, parseLogoutRequest, requestText } from './logout-request.js';

describe('parseLogoutRequest', () => {
  it('keeps only known parameters that have a value', () => {
    const fields = { state: 's', client_id: '', ui_locales: 'de', other: 'x', id_token_hint: 5 };
    expect(parseLogoutRequest(fields)).toEqual({ state: 's', ui_locales: 'de' });
  });

  it('refuses a state of more than 2,048 bytes', () => {
    expect(parseLogoutRequest({ state: 'é'.repeat(1_024) })).toHaveProperty('state');
    expect(() => parseLogoutRequest({ state: `${'é'.repeat(1_024)}x` })).toThrow(
      'state: must have at most 2048 bytes',
    );
  });
});

describe('requestText', () => {
  const request = fc.record(
    Object.fromEntries(LOGOUT_PARAMETERS.map((name) => [name, fc.string({ minLength: 1, maxLength: 5 })])),
    { requiredKeys: [] },
  );

  it('is equal exactly for equal requests, whatever the order of their parameters', () => {
    fc.assert(
      fc.property(request, request, (one, other) => {
        const isEqual = LOGOUT_PARAMETERS.every((name) => one[name] === other[name]);
        expect(requestText(one) === requestText(other)).toBe(isEqual);
        const reversed = Object.fromEntries(Object.entries(one).toReversed());
        expect(requestText(reversed)).toBe(requestText(one));
      }),
    );
  });
});

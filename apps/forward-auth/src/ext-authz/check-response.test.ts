import { expect, it } from 'vitest';
import { checkResponse } from './check-response.js';

const OVERWRITE = 2;

it('replaces the headers of the client for the upstream, and removes those about which there is nothing to tell', () => {
  expect(
    checkResponse({
      outcome: 'allowed',
      headers: { 'X-Token-Subject': 'alice', 'X-Token-Username': '' },
      responseHeaders: { 'DPoP-Nonce': 'n' },
    }),
  ).toEqual({
    status: { code: 0 },
    ok_response: {
      headers: [{ header: { key: 'X-Token-Subject', value: 'alice' }, append_action: OVERWRITE }],
      headers_to_remove: ['X-Token-Username'],
      response_headers_to_add: [{ header: { key: 'DPoP-Nonce', value: 'n' }, append_action: OVERWRITE }],
    },
  });
});

it.each([
  [400, 3],
  [401, 16],
  [403, 7],
  [500, 13],
  [503, 14],
  [418, 7],
])('refuses with status %i, whose code %i is an error', (status, code) => {
  const headers = { 'WWW-Authenticate': 'Bearer' };
  expect(checkResponse({ outcome: 'refused', status, headers, body: '{}' })).toEqual({
    status: { code },
    denied_response: {
      status: { code: status },
      headers: [{ header: { key: 'WWW-Authenticate', value: 'Bearer' }, append_action: OVERWRITE }],
      body: '{}',
    },
  });
});

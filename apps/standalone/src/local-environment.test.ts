import { expect, it } from 'vitest';
import { withLocalDefaults } from './local-environment.js';

const throttles = (given: Readonly<Record<string, string>>) =>
  withLocalDefaults(given)['RATE_LIMITS_ENABLED'];

it('turns rate limits off only while it is reachable from this machine alone, unless the setting says otherwise', () => {
  for (const BASE_URL of ['', 'http://localhost:9000', 'http://127.0.0.1', 'https://[::1]:8443'])
    for (const HOST of ['', '127.0.0.1', 'localhost', '::1'])
      expect(throttles({ BASE_URL, HOST }), `${BASE_URL} ${HOST}`).toBe('false');
  for (const BASE_URL of ['https://id.example.com', 'http://localhost.example.com', 'not a URL'])
    expect(throttles({ BASE_URL }), BASE_URL).toBeUndefined();
  for (const HOST of ['0.0.0.0', '::', '192.0.2.1'])
    expect(throttles({ BASE_URL: 'http://localhost:8080', HOST }), HOST).toBeUndefined();
  expect(throttles({ RATE_LIMITS_ENABLED: 'true' })).toBe('true');
  expect(throttles({ BASE_URL: 'https://id.example.com', RATE_LIMITS_ENABLED: 'false' })).toBe('false');
});

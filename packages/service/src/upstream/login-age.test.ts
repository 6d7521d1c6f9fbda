import { epochSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { isRecentLogin } from './login-age.js';

const STARTED = 1_780_000_000;
const loginAt = (time: number) => ({ authenticatedAt: epochSeconds(time) });

it('accepts a login of any age, or without one, unless the client limits it', () => {
  expect(isRecentLogin({}, { startedAt: STARTED })).toBe(true);
  expect(isRecentLogin(loginAt(0), { startedAt: STARTED })).toBe(true);
});

it('requires auth_time within max_age and 30 seconds before the request (OpenID Connect Core 1.0 section 3.1.2.1)', () => {
  const fresh = { startedAt: STARTED, maxAgeSeconds: 0 };
  expect(isRecentLogin({}, fresh)).toBe(false);
  expect(isRecentLogin(loginAt(STARTED + 60), fresh)).toBe(true);
  expect(isRecentLogin(loginAt(STARTED - 30), fresh)).toBe(true);
  expect(isRecentLogin(loginAt(STARTED - 31), fresh)).toBe(false);
  expect(isRecentLogin(loginAt(STARTED - 130), { ...fresh, maxAgeSeconds: 100 })).toBe(true);
  expect(isRecentLogin(loginAt(STARTED - 131), { ...fresh, maxAgeSeconds: 100 })).toBe(false);
});

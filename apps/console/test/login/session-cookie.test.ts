import { randomBytes } from 'node:crypto';
import { operatorActor } from '@vestibule/clients';
import { secureRandom } from '@vestibule/crypto';
import { openTestDataKeys } from '@vestibule/crypto/testing';
import { nowSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { loginAttempts } from '../../src/login/login-attempts.js';
import { type SessionContent, sessionCookie } from '../../src/login/session-cookie.js';
import { buildTestConsole, type TestConsole } from '../support/build-test-console.js';

function contentAt({ clock }: TestConsole, deviations: Partial<SessionContent> = {}): SessionContent {
  return {
    id: 'session',
    operator: { subject: 'ada', name: 'Ada', role: 'admin', actor: operatorActor('ada') },
    formToken: 'form-token',
    issuer: 'https://as.example',
    isStored: false,
    loggedInAtMs: clock.nowMs(),
    expiresAt: nowSeconds(clock) + 600,
    ...deviations,
  };
}

function pairOf(cookie: string): string {
  return cookie.split(';')[0] ?? '';
}

it('is for this host alone, unreadable for scripts, and only sent over https', async () => {
  const here = await buildTestConsole();
  const { encryptor } = here.store;
  const cookie = sessionCookie({ encryptor, clock: here.clock, isSecure: true });
  expect(await cookie.set(contentAt(here))).toMatch(
    /^__Host-vestibule_console=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(cookie.deletion).toBe(
    '__Host-vestibule_console=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure',
  );
});

it('is refused with any change, from other keys, and after its time', async () => {
  const here = await buildTestConsole();
  const { clock, store } = here;
  const cookie = sessionCookie({ encryptor: store.encryptor, clock, isSecure: true });
  const pair = pairOf(await cookie.set(contentAt(here)));
  const isRead = async (text: string) =>
    (await cookie.read({ headers: { cookie: text } } as never)) !== undefined;
  expect(await isRead(pair)).toBe(true);
  const start = pair.indexOf('=') + 1;
  for (let at = start; at < pair.length; at += 17) {
    const changed = pair[at] === 'A' ? 'B' : 'A';
    expect(await isRead(pair.slice(0, at) + changed + pair.slice(at + 1)), String(at)).toBe(false);
  }
  expect(await isRead(`__Host-vestibule_console=${randomBytes(200).toString('base64url')}`)).toBe(false);
  expect(await isRead(`__Host-vestibule_console=${'a'.repeat(10_000)}`)).toBe(false);
  const { encryptor } = await openTestDataKeys();
  const foreign = sessionCookie({ encryptor, clock, isSecure: true });
  expect(await isRead(pairOf(await foreign.set(contentAt(here))))).toBe(false);
  clock.advanceSeconds(600);
  expect(await isRead(pair)).toBe(false);
});

it('leaves out an ID token that does not fit', async () => {
  const here = await buildTestConsole();
  const cookie = sessionCookie({ encryptor: here.store.encryptor, clock: here.clock, isSecure: true });
  const idTokenOf = async (idToken: string) => {
    const pair = pairOf(await cookie.set(contentAt(here, { idToken })));
    expect(pair.length).toBeLessThan(4_000);
    return (await cookie.read({ headers: { cookie: pair } } as never))?.idToken;
  };
  expect(await idTokenOf('short')).toBe('short');
  expect(await idTokenOf('x'.repeat(4_000))).toBeUndefined();
});

it('is not taken for the cookie of a login, nor the other way round', async () => {
  const here = await buildTestConsole();
  const { clock, store } = here;
  const options = { encryptor: store.encryptor, clock, isSecure: true };
  const session = sessionCookie(options);
  const attempts = loginAttempts({ ...options, random: secureRandom });
  const nothing = { headers: {} } as never;
  const { attempt, cookies } = await attempts.begin(nothing, { to: '/', isFresh: false });
  const [name = '', value = ''] = pairOf(cookies[0] ?? '').split('=');
  const [, sessionValue = ''] = pairOf(await session.set(contentAt(here))).split('=');
  const sent = (cookie: string) => ({ headers: { cookie } }) as never;
  expect(await attempts.find(sent(`${name}=${value}`), attempt.state)).toMatchObject({ to: '/' });
  expect(await attempts.find(sent(`${name}=${sessionValue}`), attempt.state)).toBeUndefined();
  expect(await session.read(sent(`__Host-vestibule_console=${value}`))).toBeUndefined();
  clock.advanceSeconds(600);
  expect(await attempts.find(sent(`${name}=${value}`), attempt.state)).toBeUndefined();
});

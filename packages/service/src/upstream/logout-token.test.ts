import { createEgress } from '@vestibule/egress';
import { epochSeconds } from '@vestibule/protocol';
import { type JwksServer, signedBy, startJwksServer, TEST_KEYS } from '@vestibule/testkit';
import { UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logoutTokenKeys, readLogoutToken } from './logout-token.js';
import { UpstreamError } from './upstream-error.js';
import { upstreamFetch } from './upstream-fetch.js';

const NOW = epochSeconds(1_780_315_200);
const ISSUER = 'https://idp.example';
const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };
const { es256: KEY, rs256: OTHER_KEY } = TEST_KEYS;

let server: JwksServer;

beforeAll(async () => {
  server = await startJwksServer(KEY);
});

afterAll(() => server.close());

function fetchFrom(url: string) {
  return upstreamFetch(createEgress({ allowHosts: [new URL(url).host] }));
}

function read(text: string, url = server.url) {
  const keys = logoutTokenKeys(new URL(url), fetchFrom(url));
  return readLogoutToken(text, { issuer: ISSUER, clientId: 'us', keys, now: NOW });
}

const claims = (members: object = {}) => ({
  iss: ISSUER,
  aud: 'us',
  iat: NOW,
  exp: NOW + 120,
  jti: 'one',
  sub: 'ada',
  sid: 's1',
  events: EVENTS,
  ...members,
});

it.each([
  ['with both names', {}, { subject: 'ada', sid: 's1' }],
  ['without sid', { sid: undefined }, { subject: 'ada' }],
  ['without sub', { sub: undefined }, { sid: 's1' }],
  ['without exp', { exp: undefined }, { subject: 'ada', sid: 's1' }],
  ['of 300 seconds ago', { iat: NOW - 300 }, { subject: 'ada', sid: 's1' }],
])('accepts a logout token %s', async (_what, members, names) => {
  const text = await signedBy(KEY, claims(members), { typ: 'logout+jwt' });
  expect(await read(text)).toEqual({ issuer: ISSUER, jti: 'one', ...names });
});

it.each([
  ['of another issuer', { iss: 'https://other.example' }, {}],
  ['for another client', { aud: 'them' }, {}],
  ['that has expired', { exp: NOW - 31 }, {}],
  ['of long ago', { iat: NOW - 331 }, {}],
  ['without iat', { iat: undefined }, {}],
  ['without jti', { jti: undefined }, {}],
  ['without events', { events: undefined }, {}],
  ['with another event', { events: { 'https://schemas.example/event': {} } }, {}],
  ['with a nonce, as ID tokens have', { nonce: 'n' }, {}],
  ['without sub and sid', { sub: undefined, sid: undefined }, {}],
  ['of the type of access tokens', {}, { typ: 'at+jwt' }],
])('refuses a logout token %s (Back-Channel Logout 1.0 section 2.6)', async (_what, members, header) => {
  const text = await signedBy(KEY, claims(members), { typ: 'logout+jwt', ...header });
  expect(await read(text)).toBeUndefined();
});

it('refuses a logout token without a signature, with that of another key, and other texts', async () => {
  const signed = await signedBy(OTHER_KEY, claims(), { typ: 'logout+jwt' });
  for (const text of [new UnsecuredJWT(claims()).encode(), signed, 'a.b.c', ''])
    expect(await read(text)).toBeUndefined();
});

it('fails, and does not refuse, while the keys of the provider cannot be read', async () => {
  const closed = await startJwksServer(KEY);
  await closed.close();
  const text = await signedBy(KEY, claims(), { typ: 'logout+jwt' });
  await expect(read(text, closed.url)).rejects.toThrow(UpstreamError);
});

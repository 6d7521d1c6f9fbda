import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import type { AccessToken } from '../access-token.js';
import { activeResponse } from '../introspection/introspection-response.js';
import { cachedToken } from './cached-token.js';

const TOKEN: AccessToken = {
  clientId: 'client' as ClientId,
  scope: 'read',
  audience: [],
  issuer: 'https://as.example',
  issuedAt: 1000 as EpochSeconds,
  expiresAt: 2000 as EpochSeconds,
};
const MARK = { sequence: 0, stretch: 0, atMs: 0 };

/** Returns the estimated size of the entry of a token. */
function counted(members: Partial<AccessToken>): number {
  const state = { format: 'identifier', token: { ...TOKEN, ...members } } as const;
  return cachedToken({ state, tags: [], mark: MARK }).bytes;
}

/** Returns the length of its response. */
function answered(members: Partial<AccessToken>): number {
  const token = { ...TOKEN, ...members };
  const { audience, scope, clientId: caller } = token;
  return JSON.stringify(activeResponse({ token, caller, audience, scope })).length;
}

it('counts every text and object of a token, and its part of the response', () => {
  const least = counted({});
  const text = 'x'.repeat(100);
  for (const name of ['subject', 'username', 'jti'] as const)
    expect(counted({ [name]: text }) - counted({ [name]: '' }), name).toBeGreaterThanOrEqual(200);
  for (const name of ['scope', 'issuer'] as const)
    expect(counted({ [name]: text }) - counted({ [name]: '' }), name).toBeGreaterThanOrEqual(100);
  for (const name of ['confirmation', 'actor', 'data', 'claims'] as const)
    expect(counted({ [name]: { text } }) - least, name).toBeGreaterThanOrEqual(300);
  expect(counted({ audience: [text] }) - counted({ audience: [] })).toBeGreaterThanOrEqual(100);
});

it('counts two bytes per character of a response with a character beyond Latin-1', () => {
  const wide: readonly Partial<AccessToken>[] = [
    { subject: '\u5c71' },
    { username: '\u5c71' },
    { actor: { sub: '\u5c71' } },
    { data: { of: ['\u5c71'] } },
    { claims: { name: '\u5c71' } },
  ];
  for (const members of wide) {
    const latin: Partial<AccessToken> = JSON.parse(JSON.stringify(members).replace('\u5c71', 'y'));
    expect(counted(members) - counted(latin)).toBeGreaterThanOrEqual(answered(latin));
  }
});

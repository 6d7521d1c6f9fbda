import { epochSeconds } from '@vestibule/protocol';
import {
  ALL_SCOPES,
  EMPTY_SCOPE,
  OPEN_SCOPES,
  parseGrantedScopes,
  parseScope,
  uniteGrantedScopes,
} from '@vestibule/scopes';
import { describe, expect, it, vi } from 'vitest';
import { failure } from '../testing/failure.js';
import { ACCESS_TOKEN, ISSUER, MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { authorizeRegistration } from './authorize-registration.js';

const CODE = 'client-reg:grant:code';
const CODE_SCOPES = parseGrantedScopes(parseScope(CODE) ?? EMPTY_SCOPE);

describe('managed mode', () => {
  it('grants nothing without a token (registration/API.md#modes)', async () => {
    const { deps } = await registrationFixture();
    await expect(authorizeRegistration(deps, {})).rejects.toEqual(failure('missing_token'));
  });

  it('grants the master token everything, and an initial access token exactly its own scopes', async () => {
    const { deps, issue } = await registrationFixture();
    expect(await authorizeRegistration(deps, { token: MASTER })).toEqual({
      kind: 'master',
      grantedScopes: ALL_SCOPES,
    });
    const authority = await authorizeRegistration(deps, { token: await issue(CODE) });
    expect(authority).toMatchObject({
      kind: 'initial_access_token',
      grantedScopes: CODE_SCOPES,
      consumes: [expect.any(Uint8Array)],
    });
  });
});

describe('open mode', () => {
  it('lets any client register within the open scopes, which a token extends (registration/API.md#modes)', async () => {
    const { deps, issue } = await registrationFixture({ allowOpenRegistration: true });
    expect(await authorizeRegistration(deps, {})).toEqual({ kind: 'anonymous', grantedScopes: OPEN_SCOPES });
    const { grantedScopes } = await authorizeRegistration(deps, {
      token: await issue('client-reg:grant:password'),
    });
    const password = parseGrantedScopes(parseScope('client-reg:grant:password') ?? EMPTY_SCOPE);
    expect(grantedScopes).toEqual(uniteGrantedScopes(OPEN_SCOPES, password));
  });

  it('refuses an invalid token even though none is required', async () => {
    const { deps } = await registrationFixture({ allowOpenRegistration: true });
    await expect(authorizeRegistration(deps, { token: 'unknown' })).rejects.toEqual(failure('invalid_token'));
  });
});

describe('in both modes', () => {
  const attempts = async (token: string | undefined, changes = {}, certificateThumbprint?: string) => {
    const outcomes: string[] = [];
    for (const allowOpenRegistration of [true, false]) {
      const { deps, issue } = await registrationFixture({ allowOpenRegistration });
      const presented = token ?? (await issue(CODE, changes));
      const attempt = authorizeRegistration(deps, { token: presented, certificateThumbprint });
      outcomes.push(
        await attempt.then(
          ({ kind }) => kind,
          ({ code }) => code,
        ),
      );
    }
    return outcomes;
  };
  const both = (outcome: string) => [outcome, outcome];

  it('refuses tokens that are unknown, expired or used up', async () => {
    const { clock } = await registrationFixture();
    const now = epochSeconds(clock.nowMs() / 1000);
    expect(await attempts('unknown')).toEqual(both('invalid_token'));
    expect(await attempts('')).toEqual(both('invalid_token'));
    expect(await attempts(undefined, { expiresAt: now })).toEqual(both('invalid_token'));
    expect(await attempts(undefined, { expiresAt: now + 1 })).toEqual(both('initial_access_token'));
    expect(await attempts(undefined, { usesLeft: 0 })).toEqual(both('invalid_token'));
  });

  it('refuses tokens for another audience', async () => {
    for (const audience of [[ISSUER], [`${ISSUER}/clients`], ['https://x.example', ISSUER]]) {
      expect(await attempts(undefined, { audience })).toEqual(both('initial_access_token'));
    }
    for (const audience of [['https://x.example'], [`${ISSUER}/`], [`${ISSUER}/clients/`], [''], []]) {
      expect(await attempts(undefined, { audience })).toEqual(both('invalid_token'));
    }
  });

  it('accepts tokens without audience only if that is permitted', async () => {
    const { deps, issue } = await registrationFixture({ initialTokenAudienceRequired: false });
    const attempt = async (audience: readonly string[]) =>
      authorizeRegistration(deps, { token: await issue('client-reg', { audience }) });
    expect(await attempt([])).toMatchObject({ kind: 'initial_access_token' });
    await expect(attempt(['https://x.example'])).rejects.toMatchObject({ code: 'invalid_token' });
  });

  it('looks up a JWT by the identifier in it, which is not accepted as a bearer token itself', async () => {
    const { deps, issue } = await registrationFixture();
    const name = await issue('client-reg:grant:code');
    const read = vi.fn(async (token: string) => (token === 'a.b.c' ? name : undefined));
    const reading = { ...deps, initialTokenReader: { read } };
    expect(await authorizeRegistration(reading, { token: 'a.b.c' })).toMatchObject({
      kind: 'initial_access_token',
      consumes: deps.digester.availableDigests('initial-access-token', name),
    });
    for (const token of ['a.b.d', 'a.b.', 'x'])
      await expect(authorizeRegistration(reading, { token })).rejects.toMatchObject({
        code: 'invalid_token',
      });
    expect(read).toHaveBeenCalledTimes(3);
    await expect(authorizeRegistration(deps, { token: 'a.b.c' })).rejects.toMatchObject({
      code: 'invalid_token',
    });
  });

  it('refuses tokens bound to a certificate or key that was not proved (RFC 8705 section 3)', async () => {
    const confirmation = { 'x5t#S256': 'thumb' };
    expect(await attempts(undefined, { confirmation }, 'thumb')).toEqual(both('initial_access_token'));
    expect(await attempts(undefined, { confirmation }, 'other')).toEqual(both('invalid_token'));
    expect(await attempts(undefined, { confirmation })).toEqual(both('invalid_token'));
    expect(await attempts(undefined, { confirmation: { jkt: 'thumb' } }, 'thumb')).toEqual(
      both('invalid_token'),
    );
    expect(await attempts(undefined, { confirmation: { ...confirmation, jkt: 'x' } }, 'thumb')).toEqual(
      both('invalid_token'),
    );
  });

  it('refuses a valid token of another purpose with insufficient_scope', async () => {
    expect(await attempts(ACCESS_TOKEN)).toEqual(both('insufficient_scope'));
    for (const scope of ['client-reg:grant:codex', 'CLIENT-REG', 'client-reg:scope:', 'openid']) {
      expect(await attempts(undefined, { scope: parseScope(scope) })).toEqual(both('insufficient_scope'));
    }
  });

  it('consumes nothing', async () => {
    const { deps, issue } = await registrationFixture();
    const token = await issue(CODE);
    for (let i = 0; i < 3; i += 1) await authorizeRegistration(deps, { token });
    expect(
      await deps.initialAccessTokens.find(deps.digester.availableDigests('initial-access-token', token)),
    ).toMatchObject({ usesLeft: 1 });
  });

  it('returns the metadata template of the token', async () => {
    const { deps, issue } = await registrationFixture();
    const metadataTemplate = { client_name: 'Partner' };
    const token = await issue(CODE, { metadataTemplate });
    expect(await authorizeRegistration(deps, { token })).toMatchObject({ metadataTemplate });
  });
});

import { KeyEncryptionError } from '@vestibule/crypto/data-keys';
import { withMissingDigestKey } from '@vestibule/crypto/testing';
import { type ClientId, type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { EMPTY_SCOPE, parseScope } from '@vestibule/scopes';
import { describe, expect, it } from 'vitest';
import type { AccessTokenGrant } from '../issuing/access-token-grant.js';
import { revokeToken } from '../revocation/revoke-token.js';
import { changedTokens } from '../testing/changed-tokens.js';
import { aTokenFixture, RS1 } from '../testing/token-fixture.js';
import { readLiveToken, readTokenState } from '../token-state.js';
import { type IntrospectionDeps, introspect } from './introspect.js';

const FORMATS = ['identifier', 'jwt'] as const;
type World = Awaited<ReturnType<typeof aTokenFixture>>;

const introspectAs = async (world: IntrospectionDeps, token: string, revoke = false) =>
  introspect(world, { token, caller: RS1, revoke });
const responseText = async (world: World, token: string) =>
  JSON.stringify((await introspectAs(world, token)).response);

const INACTIVE = '{"active":false}';

it('does not report an identifier-based token as inactive while a digest key cannot be decrypted', async () => {
  const world = await aTokenFixture();
  const token = await world.identifier({});
  const apart = { ...world, digester: withMissingDigestKey(world.digester) };
  for (const revoke of [false, true])
    await expect(introspectAs(apart, 'u'.repeat(43), revoke)).rejects.toBeInstanceOf(KeyEncryptionError);
  expect((await introspectAs(apart, token)).response).toMatchObject({ active: true });
});

/** A fixture whose machine the test can pause: its clock is behind until the time is read again. */
function paused(world: World) {
  const state = { jumps: 0, behindSeconds: 0 };
  const pauses = {
    jumps: () => state.jumps,
    settle: () => {
      if (state.behindSeconds === 0) return undefined;
      return Promise.resolve().then(() => {
        world.clock.advanceSeconds(state.behindSeconds);
        state.behindSeconds = 0;
      });
    },
  };
  const pause = (seconds: number) => {
    state.jumps += 1;
    state.behindSeconds += seconds;
  };
  return { deps: { ...world, pauses }, pause };
}

it('serves no cached state after a pause of the machine until the time is known', async () => {
  const world = await aTokenFixture();
  const token = await world.identifier({ lifetimeSeconds: 10 });
  const states = {
    cached: () => ({ found: true, state: { format: 'identifier', token: live } }) as const,
    read: async () => ({ found: true, state: { format: 'identifier', token: live } }) as const,
    claim: () => expect.fail('claimed'),
  };
  const [live = expect.fail('no token')] = [...world.accessTokens.tokens.values()];
  const { deps, pause } = paused(world);
  const request = { token, caller: RS1, revoke: false };
  const withCache = { ...deps, states };
  expect(introspect(withCache, request)).toMatchObject({ response: { active: true } });
  expect(introspect(withCache, request)).toMatchObject({ text: expect.stringContaining('"active":true') });
  pause(12);
  const afterPause = introspect(withCache, request);
  expect(afterPause).toBeInstanceOf(Promise);
  expect((await afterPause).response).toEqual({ active: false });
});

it('rejects if the time cannot be read after a pause, whatever the rate limit of the caller', async () => {
  const world = await aTokenFixture();
  const pauses = { jumps: () => 1, settle: () => Promise.reject(new Error('no time')) };
  const inactiveResponseRateLimit = { admit: () => expect.fail('admitted') };
  const token = await world.identifier();
  for (const revoke of [false, true])
    await expect(
      introspectAs({ ...world, pauses, inactiveResponseRateLimit }, token, revoke),
    ).rejects.toThrow('no time');
});

it('reads a self-contained token again after a pause with revoke too, and never repeats a claim', async () => {
  const world = await aTokenFixture();
  const { deps, pause } = paused(world);
  const calls: string[] = [];
  const pausing = <Result>(name: string, result: Result) => {
    calls.push(name);
    if (calls.length === 1) pause(1);
    return result;
  };
  const states = {
    cached: () => undefined,
    read: async (text: string) => pausing('read', await readTokenState(world, text)),
    claim: async () => pausing('claim', { found: false, reason: 'unknown' } as const),
  };
  const jwt = await world.jwt();
  expect((await introspectAs({ ...deps, states }, jwt, true)).response.active).toBe(true);
  expect(calls.splice(0)).toEqual(['read', 'read']);
  expect((await introspectAs({ ...deps, states }, await world.identifier(), true)).response.active).toBe(
    false,
  );
  // The read finds out why nothing was claimed.
  expect(calls).toEqual(['claim', 'read']);
});

it('checks the rate limit of a caller before a read or a claim, and not for cached states', async () => {
  const world = await aTokenFixture();
  const [cached, jwt, token] = [await world.identifier(), await world.jwt(), await world.identifier()];
  const known = new Map([
    [cached, await readTokenState(world, cached)],
    [jwt, await readTokenState(world, jwt)],
  ]);
  const states = {
    cached: (text: string) => known.get(text),
    read: () => expect.fail('read'),
    claim: () => expect.fail('claimed'),
  };
  const admit = () => {
    throw new Error('not admitted');
  };
  const deps = { ...world, states, inactiveResponseRateLimit: { admit } };
  const introspected = (text: string, revoke: boolean) =>
    introspect(deps, { token: text, caller: RS1, revoke });
  expect(introspected(cached, false)).toMatchObject({ response: { active: true } });
  for (const revoke of [false, true])
    expect(introspected(jwt, revoke)).toMatchObject({ response: { active: true } });
  expect(() => introspected(cached, true)).toThrow('not admitted');
  for (const revoke of [false, true]) expect(() => introspected(token, revoke)).toThrow('not admitted');
});

describe.each(FORMATS)('introspecting a token (%s)', (format) => {
  it('reads it again when the machine was paused during the read, and uses the time after the pause', async () => {
    const world = await aTokenFixture();
    const token = await world[format]({ lifetimeSeconds: 60 });
    const brief = await world[format]({ lifetimeSeconds: 10 });
    const { deps, pause } = paused(world);
    const states = {
      cached: () => undefined,
      claim: () => expect.fail('claimed'),
      read: async (text: string) => {
        const found = await readTokenState(world, text);
        if (pauses > 0) {
          pauses -= 1;
          pause(12);
          // Meanwhile in real time.
          await revokeToken(world, text);
        }
        return found;
      },
    };
    let pauses = 1;
    const response = async (text: string) =>
      (await introspect({ ...deps, states }, { token: text, caller: RS1, revoke: false })).response;
    expect(await response(token)).toEqual({ active: false });
    expect(await response(brief)).toEqual({ active: false });
    expect(await response(await world[format]({}))).toMatchObject({ active: true });
  });

  it('returns the members that the token was issued with', async () => {
    const world = await aTokenFixture();
    const grant: Partial<AccessTokenGrant> = {
      audience: ['rs2', 'rs1'],
      username: 'alice@example.com',
      confirmation: { 'x5t#S256': 't' },
      actor: { sub: 'bob' },
      data: { tier: 'gold' },
      sessionId: 's1',
      claims: {
        email: 'a@example.com',
        acr: 'urn:acr:gold',
        auth_time: 1_700_000_000,
        authorization_details: [{ type: 'account', actions: ['read'] }],
      },
    };
    const now = nowSeconds(world.clock);
    const { decision, response } = await introspectAs(world, await world[format](grant));
    expect(decision).toMatchObject({ active: true, state: { format } });
    expect(response).toEqual({
      active: true,
      scope: 'read write',
      client_id: 'client',
      username: 'alice@example.com',
      token_type: 'Bearer',
      exp: now + 600,
      iat: now,
      sub: 'alice',
      aud: ['rs1'],
      iss: 'https://as.example',
      ...(format === 'jwt' ? { jti: expect.stringMatching(/^[A-Za-z0-9]{22}$/) } : {}),
      sid: 's1',
      cnf: { 'x5t#S256': 't' },
      act: { sub: 'bob' },
      dat: { tier: 'gold' },
      email: 'a@example.com',
      acr: 'urn:acr:gold',
      auth_time: 1_700_000_000,
      authorization_details: [{ type: 'account', actions: ['read'] }],
    });
    expect(Object.keys(response)[0]).toBe('active');
  });

  it('returns the whole audience without pruneAudience', async () => {
    const world = { ...(await aTokenFixture()), pruneAudience: false };
    const { response } = await introspectAs(world, await world[format]({ audience: ['rs2', 'rs1'] }));
    expect(response['aud']).toEqual(['rs2', 'rs1']);
  });

  it('returns only registered scope values with narrowScope, and no scope if none is left', async () => {
    const world = { ...(await aTokenFixture()), narrowScope: true };
    const token = await world[format]({ scope: parseScope('write read admin') ?? EMPTY_SCOPE });
    const scopeFor = async (registeredScope?: string) => {
      const caller = { clientId: 'rs1' as ClientId, registeredScope };
      return (await introspect(world, { token, caller, revoke: false })).response['scope'];
    };
    expect(await scopeFor('read https://as.example/token/introspect write')).toBe('write read');
    expect(await scopeFor('rea https://as.example/token/introspect')).toBeUndefined();
    expect(await scopeFor()).toBeUndefined();
  });

  it('has no aud if the token has none', async () => {
    const world = await aTokenFixture();
    expect((await introspectAs(world, await world[format]())).response).not.toHaveProperty('aud');
  });

  it('is inactive for a caller outside the audience, with and without revoke', async () => {
    const world = await aTokenFixture();
    const token = await world[format]({ audience: ['rs2'] });
    expect(await responseText(world, token)).toBe(INACTIVE);
    expect(JSON.stringify((await introspectAs(world, token, true)).response)).toBe(INACTIVE);
    const owner = await introspect(world, { token, caller: { clientId: 'rs2' as ClientId }, revoke: false });
    expect(owner.response.active).toBe(true);
  });

  it('is not consumed without revoke', async () => {
    const world = await aTokenFixture();
    const token = await world[format]();
    for (let round = 0; round < 2; round += 1)
      expect((await introspectAs(world, token)).response.active).toBe(true);
  });

  it('is inactive from the second that exp names', async () => {
    const world = await aTokenFixture();
    const token = await world[format]({ lifetimeSeconds: 10 });
    world.clock.advanceSeconds(9);
    expect((await introspectAs(world, token)).response.active).toBe(true);
    world.clock.advanceSeconds(0.5);
    expect(await responseText(world, token)).toBe(INACTIVE);
  });

  it('is inactive before nbf', async () => {
    const world = await aTokenFixture();
    const token = await world[format]({ notBefore: (nowSeconds(world.clock) + 5) as EpochSeconds });
    expect(await responseText(world, token)).toBe(INACTIVE);
    world.clock.advanceSeconds(5);
    expect((await introspectAs(world, token)).response.active).toBe(true);
  });

  it('never reports a token as inactive after a fault', async () => {
    const world = await aTokenFixture();
    const token = await world[format]();
    const fault = () => Promise.reject(new Error('store down'));
    const broken = {
      ...world,
      accessTokens: { find: fault, claim: fault },
      revocations: { statuses: fault },
    };
    await expect(introspect(broken, { token, caller: RS1, revoke: false })).rejects.toThrow('store down');
    await expect(introspect(broken, { token, caller: RS1, revoke: true })).rejects.toThrow('store down');
    await expect(readLiveToken(broken, token)).rejects.toThrow('store down');
  });

  it('never reports a token as inactive when the key ring cannot be read', async () => {
    const world = await aTokenFixture();
    const verificationKeys = () => Promise.reject(new Error('store down'));
    const broken = { ...world, keys: { verificationKeys } };
    const token = await world.jwt();
    await expect(introspect(broken, { token, caller: RS1, revoke: false })).rejects.toThrow('store down');
  });

  it('lets a custom composer decide the members, but not whether the token is active', async () => {
    const composeResponse = () => ({ active: false, custom: 'yes' });
    const world = { ...(await aTokenFixture()), composeResponse };
    expect((await introspectAs(world, await world[format]())).response).toEqual({
      active: true,
      custom: 'yes',
    });
    expect(await responseText(world, 'unknown')).toBe(INACTIVE);
  });
});

describe('introspecting with revoke=true', () => {
  it('is active for exactly one of a hundred parallel requests', async () => {
    const world = await aTokenFixture();
    const token = await world.identifier();
    const responses = await Promise.all(Array.from({ length: 100 }, () => introspectAs(world, token, true)));
    expect(responses.filter(({ response }) => response.active)).toHaveLength(1);
    expect(await responseText(world, token)).toBe(INACTIVE);
  });

  it('has no effect on a self-contained token', async () => {
    const world = await aTokenFixture();
    const token = await world.jwt();
    for (let round = 0; round < 3; round += 1)
      expect((await introspectAs(world, token, true)).response.active).toBe(true);
  });
});

describe('introspecting a text that is not an access token', () => {
  it('reads nothing for a text that cannot be a token', async () => {
    const world = await aTokenFixture();
    for (const text of [' ', 'x'.repeat(21), 'x'.repeat(1025), `${'x'.repeat(43)}!`, 'a.b', 'a.b.c.d.e'])
      for (const revoke of [true, false])
        expect((await introspectAs(world, text, revoke)).decision).toEqual({
          active: false,
          reason: 'malformed',
        });
    expect(world.accessTokens.lookups()).toBe(0);
  });

  it('is inactive for every prefix, suffix, changed bit and changed case of a live token (both formats)', async () => {
    const world = await aTokenFixture();
    const live = [await world.identifier(), await world.jwt()];
    const mutants = live.flatMap(changedTokens);
    expect(mutants.length).toBeGreaterThan(2000);
    const responses = await Promise.all(
      mutants.map(async (mutant) => [mutant, await responseText(world, mutant)]),
    );
    expect(responses.filter(([, response]) => response !== INACTIVE)).toEqual([]);
    for (const token of live) expect((await introspectAs(world, token)).response.active).toBe(true);
  });

  it('is inactive for every other kind of JWT that our key signs', async () => {
    const world = await aTokenFixture();
    const claims = accessTokenClaims(world);
    expect((await introspectAs(world, await world.signed('at+jwt', claims))).response.active).toBe(true);
    const kinds = [
      'JWT',
      'logout+jwt',
      'token-introspection+jwt',
      'entity-statement+jwt',
      'explicit-registration-response+jwt',
      'oauth-authz-req+jwt',
      'client-authentication+jwt',
      'dpop+jwt',
      'at+jwtx',
      'jwt+at',
      '',
    ];
    for (const typ of kinds)
      expect(await responseText(world, await world.signed(typ, claims)), typ).toBe(INACTIVE);
  });

  it('is active for an access token of the type JWT that this code issued, and for no other JWT of that type', async () => {
    const world = await aTokenFixture();
    const claims = accessTokenClaims(world);
    const ours = await world.signed('JWT', { ...claims, iat_clock: 'store' });
    expect((await introspectAs(world, ours)).response.active).toBe(true);
    // ID tokens with additional claims, and introspection responses in the legacy form.
    for (const other of [claims, { ...claims, iat_clock: 'machine' }, { ...claims, active: true }])
      expect(await responseText(world, await world.signed('JWT', other)), JSON.stringify(other)).toBe(
        INACTIVE,
      );
  });

  it('is inactive when another key signed it', async () => {
    const [world, otherServer] = await Promise.all([aTokenFixture(), aTokenFixture()]);
    const forged = await otherServer.signed('at+jwt', accessTokenClaims(world));
    expect((await introspectAs(world, forged)).decision).toEqual({ active: false, reason: 'not_ours' });
  });

  it('is inactive without a signature, whatever alg its header has', async () => {
    const world = await aTokenFixture();
    const payload = base64url(accessTokenClaims(world));
    for (const alg of ['none', 'None', 'NONE', 'nOnE', '', 'HS256']) {
      const header = base64url({ alg, typ: 'at+jwt', kid: 'k1' });
      for (const signature of ['', 'AA', 'c2ln'])
        expect(await responseText(world, `${header}.${payload}.${signature}`), alg).toBe(INACTIVE);
    }
  });
});

function accessTokenClaims({ clock, issuer }: World): JsonObject {
  const now = nowSeconds(clock);
  return {
    iss: issuer,
    sub: 'alice',
    client_id: 'client',
    iat: now,
    exp: now + 60,
    jti: 'j1',
    scope: 'read',
  };
}

function base64url(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

import type { ClientId } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { aTokenFixture } from '../testing/token-fixture.js';
import { type FoundToken, readTokenState, type TokenStates } from '../token-state.js';
import { type Introspection, type IntrospectionDeps, introspect } from './introspect.js';

const CALLERS = [
  { clientId: 'rs1' as ClientId, registeredScope: 'write' },
  { clientId: 'rs2' as ClientId, registeredScope: 'read' },
  { clientId: 'client' as ClientId, registeredScope: 'read write' },
  { clientId: 'outside' as ClientId },
];

const SETTINGS: readonly Partial<IntrospectionDeps>[] = [
  {},
  { pruneAudience: false },
  { narrowScope: true },
  { audienceRule: 'report' },
  { audienceRule: 'report', pruneAudience: false },
  { composeResponse: ({ caller }) => ({ asked_by: caller }) },
];

const AUDIENCES = [[], ['rs1'], ['rs1', 'rs2'], ['rs2', 'rs2'], ['someone else']];

/** States that are read once and then always cached. */
async function knownStates(
  world: Awaited<ReturnType<typeof aTokenFixture>>,
  texts: readonly string[],
): Promise<TokenStates> {
  const states = new Map<string, FoundToken>();
  for (const text of texts) states.set(text, await readTokenState(world, text));
  return {
    cached: (text) => states.get(text),
    read: () => Promise.reject(new Error('read')),
    claim: () => Promise.reject(new Error('claimed')),
  };
}

/** The decision and the text that is sent of an introspection that made no promise. */
function served(introspection: Introspection | Promise<Introspection>) {
  if (introspection instanceof Promise) return expect.fail('it is not cached');
  const { decision, text } = introspection;
  return { decision, text };
}

describe.each(['identifier', 'jwt'] as const)('a cached token (%s)', (format) => {
  it('has the same response for each caller as without a cache, byte for byte, whichever caller was first', async () => {
    const world = await aTokenFixture();
    const grants = AUDIENCES.map((audience) => ({
      audience,
      username: 'Älice "A" \u2028',
      claims: { email: 'a' },
    }));
    const tokens = await Promise.all(grants.map((grant) => world[format](grant)));
    for (const settings of SETTINGS) {
      const [plain, states] = [{ ...world, ...settings }, await knownStates(world, [...tokens, 'x'])];
      for (const caller of [...CALLERS, ...CALLERS.toReversed()])
        for (const token of [...tokens, 'x']) {
          const request = { token, caller, revoke: false };
          const expected = await introspect(plain, request);
          expect(served(introspect({ ...plain, states }, request))).toEqual({
            decision: expected.decision.active
              ? expect.objectContaining({ active: true })
              : expected.decision,
            text: JSON.stringify(expected.response),
          });
          expect(expected.text).toBe(JSON.stringify(expected.response));
        }
    }
  });

  it('is inactive from its expiry on, even if its response was serialized before', async () => {
    const world = await aTokenFixture();
    const token = await world[format]();
    const deps = { ...world, states: await knownStates(world, [token]) };
    const request = { token, caller: { clientId: 'rs1' as ClientId }, revoke: false };
    expect(served(introspect(deps, request)).decision.active).toBe(true);
    expect(deps.states.cached(token)).toMatchObject({ state: { serializedResponse: expect.any(String) } });
    const clock = { nowMs: () => world.clock.nowMs() + 600_000 };
    expect(served(introspect({ ...deps, clock }, request))).toEqual({
      decision: { active: false, reason: 'expired' },
      text: '{"active":false}',
    });
  });
});

it('counts callers outside the audience once per request', async () => {
  const world = await aTokenFixture();
  const token = await world.identifier({ audience: ['rs2'] });
  const foreignCallers: string[] = [];
  const deps = {
    ...world,
    states: await knownStates(world, [token]),
    onForeignAudience: (id: string) => foreignCallers.push(id),
  };
  const request = { token, caller: { clientId: 'rs1' as ClientId }, revoke: false };
  for (let time = 0; time < 2; time += 1) served(introspect(deps, request));
  expect(foreignCallers).toEqual(['rs1', 'rs1']);
});

it('is not served from the cache with revoke, nor when it is not cached', async () => {
  const world = await aTokenFixture();
  const token = await world.identifier();
  const caller = { clientId: 'rs1' as ClientId };
  const states = await knownStates(world, [token]);
  const deps = { ...world, states };
  await expect(introspect(deps, { token, caller, revoke: true })).rejects.toThrow('claimed');
  await expect(introspect(deps, { token: 'y', caller, revoke: false })).rejects.toThrow('read');
  expect(introspect(world, { token, caller, revoke: false })).toBeInstanceOf(Promise);
});

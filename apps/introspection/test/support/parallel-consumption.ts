import type { Server } from '@vestibule/http';
import { expect } from 'vitest';
import { activeMembers, call, INACTIVE } from './introspection-call.js';

/**
 * Consumes a token by parallel requests to patient instances in turn, and expects that exactly one request gets it and
 * that all others respond that it is inactive.
 * @returns the instance that responded with the token, and the members
 */
export async function consumeInParallel(instances: readonly Server[], token: string, count: number) {
  const requests = Array.from({ length: count }, async (_, index) => {
    const app = instances[index % instances.length];
    if (app === undefined) throw new TypeError('there is no instance');
    return { app, response: await call(app, { token, revoke: 'true' }) };
  });
  const responses = await Promise.all(requests);
  // A request that gives up may have consumed the token without saying so.
  expect(new Set(responses.map(({ response }) => response.status))).toEqual(new Set([200]));
  const winners = responses.filter(({ response }) => response.body !== INACTIVE.body);
  for (const { response } of responses.filter((each) => !winners.includes(each)))
    expect(response).toEqual(INACTIVE);
  expect(winners).toHaveLength(1);
  const [winner] = winners;
  if (winner === undefined) throw new TypeError('no request got the token');
  return { app: winner.app, members: activeMembers(winner.response) };
}

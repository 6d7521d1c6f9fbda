import type { Server } from '@vestibule/http';
import { expect } from 'vitest';
import { activeMembers, call, INACTIVE } from './introspection-call.js';

/** The statuses of requests that give up: the row was locked for too long, or the database did not respond in time. */
const GAVE_UP: readonly number[] = [500, 503];

/**
 * Consumes a token by parallel requests to instances in turn, and expects that one of them gets it. A request that gave up
 * on a busy machine is sent again; it may have consumed the token without responding so.
 * @returns the instance that responded with the token, and the members
 */
export async function consumeInParallel(instances: readonly Server[], token: string, count: number) {
  let gaveUp = 0;
  const requests = Array.from({ length: count }, async (_, index) => {
    const app = instances[index % instances.length];
    if (app === undefined) throw new TypeError('there is no instance');
    for (;;) {
      const response = await call(app, { token, revoke: 'true' });
      if (!GAVE_UP.includes(response.status)) return { app, response };
      gaveUp += 1;
    }
  });
  const responses = await Promise.all(requests);
  const winners = responses.filter(({ response }) => response.body !== INACTIVE.body);
  for (const { response } of responses.filter((each) => !winners.includes(each)))
    expect(response).toEqual(INACTIVE);
  if (gaveUp === 0 || winners.length > 0) expect(winners).toHaveLength(1);
  const [winner] = winners;
  return winner && { app: winner.app, members: activeMembers(winner.response) };
}

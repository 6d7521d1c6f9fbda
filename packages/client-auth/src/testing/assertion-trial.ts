import { expect } from 'vitest';
import { authenticateClient } from '../authenticate-client.js';
import { type AssertionWorld, assertionRequest } from './assertion-world.js';

/** What every failed authentication returns. */
export const REFUSED = { code: 'invalid_client' };

/** What it returns if the caller must not learn the reason. */
export const UNEXPLAINED = { ...REFUSED, description: 'Client authentication failed or is missing' };

/** Authenticates with an assertion and further form parameters. */
export function authenticate({ deps }: Pick<AssertionWorld, 'deps'>, assertion: string, form = {}) {
  return authenticateClient(deps, assertionRequest(assertion, form));
}

/** Expects that an assertion is refused and not recorded. */
export async function expectRefused(
  world: Pick<AssertionWorld, 'deps' | 'replays'>,
  assertion: string,
  title: string,
): Promise<void> {
  const before = world.replays.records.size;
  await expect(authenticate(world, assertion), title).rejects.toMatchObject(REFUSED);
  expect(world.replays.records.size, title).toBe(before);
}

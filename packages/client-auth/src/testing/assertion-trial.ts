import { expect } from 'vitest';
import { authenticateClient } from '../authenticate-client.js';
import { type AssertionWorld, assertionRequest } from './assertion-world.js';

/** What every failed authentication shows. */
export const REFUSED = { code: 'invalid_client' };

/** What it shows where the caller may not know why. */
export const UNEXPLAINED = { ...REFUSED, description: 'Client authentication failed or is missing' };

/** Authenticates with an assertion, and further form parameters. */
export function authenticate({ deps }: Pick<AssertionWorld, 'deps'>, assertion: string, form = {}) {
  return authenticateClient(deps, assertionRequest(assertion, form));
}

/** Expects that an assertion is refused, and that nothing is remembered of it. */
export async function expectRefused(
  world: Pick<AssertionWorld, 'deps' | 'replays'>,
  assertion: string,
  title: string,
): Promise<void> {
  const before = world.replays.records.size;
  await expect(authenticate(world, assertion), title).rejects.toMatchObject(REFUSED);
  expect(world.replays.records.size, title).toBe(before);
}

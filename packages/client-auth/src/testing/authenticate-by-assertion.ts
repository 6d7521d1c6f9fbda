import { expect } from 'vitest';
import { authenticateClient } from '../authenticate-client.js';
import { type AssertionFixture, assertionRequest } from './assertion-fixture.js';

/** What every failed authentication returns. */
export const REFUSED = { code: 'invalid_client' };

/** What it returns if the caller must not learn the reason. */
export const UNEXPLAINED = { ...REFUSED, description: 'Client authentication failed or is missing' };

/** Authenticates with an assertion and further form parameters. */
export function authenticate({ deps }: Pick<AssertionFixture, 'deps'>, assertion: string, form = {}) {
  return authenticateClient(deps, assertionRequest(assertion, form));
}

/** Expects that an assertion is refused and not recorded. */
export async function expectRefused(
  fixture: Pick<AssertionFixture, 'deps' | 'replays'>,
  assertion: string,
  title: string,
): Promise<void> {
  const before = fixture.replays.records.size;
  await expect(authenticate(fixture, assertion), title).rejects.toMatchObject(REFUSED);
  expect(fixture.replays.records.size, title).toBe(before);
}

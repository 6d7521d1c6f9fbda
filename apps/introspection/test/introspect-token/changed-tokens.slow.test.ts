import { changedTokens } from '@vestibule/tokens/testing';
import { expect, it } from 'vitest';
import { activeMembers, call, INACTIVE } from '../support/introspection-call.js';
import { aTestService } from '../support/test-service.js';

it('is inactive for every prefix, suffix, changed bit, case and padding of a live token', async () => {
  const service = await aTestService();
  const live = [await service.identifier(), await service.jwt()];
  // The others are refused as malformed.
  const mutants = live.flatMap(changedTokens).filter((text) => text !== '' && !text.includes('\0'));
  expect(mutants.length).toBeGreaterThanOrEqual(2000);
  for (const mutant of mutants) {
    const response = await call(service.app, { token: mutant });
    if (response.body !== INACTIVE.body || response.status !== 200)
      expect.fail(`${mutant}: ${response.body}`);
  }
  for (const token of live) activeMembers(await call(service.app, { token }));
});

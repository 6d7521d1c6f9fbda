import { expect, it } from 'vitest';
import { expectAgreement } from '../support/sdk-agreement.js';

it('agrees with the endpoint on every token after each operation of 150 random sequences', async () => {
  const { cached, ended } = await expectAgreement({ seed: 7662, sequences: 150 });
  // Otherwise the test proves nothing. A usual run has more than twice as many cached ones.
  expect(cached).toBeGreaterThan(100);
  expect(ended).toBeGreaterThan(50);
});

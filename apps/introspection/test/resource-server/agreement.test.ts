import { expect, it } from 'vitest';
import { expectAgreement } from '../support/sdk-agreement.js';

it('agrees with the endpoint on every token after each operation of 100 random sequences', async () => {
  const { cached, ended } = await expectAgreement({ seed: 7662, sequences: 100 });
  // Otherwise the test proves nothing.
  expect(cached).toBeGreaterThan(100);
  expect(ended).toBeGreaterThan(50);
});

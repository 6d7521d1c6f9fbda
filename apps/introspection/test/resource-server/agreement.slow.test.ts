import { expect, it } from 'vitest';
import { expectAgreement } from '../support/sdk-agreement.js';

it('agrees with the endpoint on every token after each operation of 10,000 random sequences', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const { remembered, ended } = await expectAgreement({ seed, sequences: 10_000 });
  expect(remembered).toBeGreaterThan(10_000);
  expect(ended).toBeGreaterThan(5_000);
}, 1_800_000);

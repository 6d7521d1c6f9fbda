import process from 'node:process';
import { expect, it } from 'vitest';
import { expectAgreement } from '../support/sdk-agreement.js';

/** A long run takes `AGREEMENT_SEQUENCES=10000`. */
const sequences = Number(process.env['AGREEMENT_SEQUENCES'] ?? 500);

it(`agrees with the endpoint on every token after each operation of ${sequences} random sequences`, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const { cached, ended } = await expectAgreement({ seed, sequences });
  expect(cached).toBeGreaterThan(sequences);
  expect(ended).toBeGreaterThan(sequences / 2);
}, 3_600_000);

import { openDatabase } from '@vestibule/database';
import { nowSeconds, systemClock } from '@vestibule/protocol';
import { createTestDatabase } from '@vestibule/testkit';
import { findPairwiseSubject, recordPairwiseSubject } from '@vestibule/tokens/issuing';
import { expect, it, onTestFinished } from 'vitest';

it('finds the pairwise subject that a team chose, and the next one when the team changes it', async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const { providerRecords: records, close } = openDatabase({ url });
  onTestFinished(close);
  const name = { sector: 'rp.example', accountId: 'ada' };
  const found = () => findPairwiseSubject(records, name, nowSeconds(systemClock));
  expect(await found()).toBeUndefined();
  for (const subject of ['first', 'first', 'second']) {
    await recordPairwiseSubject(records, name, subject);
    expect(await found()).toBe(subject);
  }
  expect(
    await findPairwiseSubject(records, { ...name, accountId: 'grace' }, nowSeconds(systemClock)),
  ).toBeUndefined();
});

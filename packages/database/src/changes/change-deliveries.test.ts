import { expect, it } from 'vitest';
import { twoProcesses } from '../testing/fixtures.js';
import { query } from '../testing/test-database.js';

const LEASE_MS = 60_000;

async function createFixture() {
  const { url, one, other } = await twoProcesses();
  return {
    one: one.changeDeliveries('https://team.example/'),
    other: other.changeDeliveries('https://team.example/'),
    elsewhere: other.changeDeliveries('https://team.example/other'),
    endLeases: () => query(url, `UPDATE change_delivery SET leased_until = now() - interval '1 second'`),
    /** Like a clock of the database that goes back. */
    moveLeases: (ms: number) =>
      query(url, `UPDATE change_delivery SET leased_until = leased_until + $1 * interval '1 millisecond'`, [
        ms,
      ]),
    writes: () => query(url, 'SELECT xmin::text, xmax::text FROM change_delivery'),
  };
}

it('reserves a receiver for one holder, which renews the lease and gives it back', async () => {
  const { one, other, elsewhere } = await createFixture();
  expect(await one.take('a', LEASE_MS)).toEqual({});
  expect(await other.take('b', LEASE_MS)).toBeUndefined();
  expect(await elsewhere.take('b', LEASE_MS)).toEqual({});
  expect(await one.renew('a', LEASE_MS)).toBe(true);
  expect(await other.renew('b', LEASE_MS)).toBe(false);
  await other.release('b');
  expect(await other.take('b', LEASE_MS)).toBeUndefined();
  await one.release('a');
  expect(await other.take('b', LEASE_MS)).toEqual({});
});

it('gives the position to the holder that takes over when the lease has ended', async () => {
  const { one, other, endLeases } = await createFixture();
  await one.take('a', LEASE_MS);
  expect(await one.advance('a', 'first')).toBe(true);
  await endLeases();
  // No other holder has taken it.
  expect(await one.advance('a', 'second')).toBe(true);
  expect(await one.renew('a', LEASE_MS)).toBe(true);
  expect(await other.take('b', LEASE_MS)).toBeUndefined();
  await endLeases();
  expect(await other.take('b', LEASE_MS)).toEqual({ eventId: 'second' });
  await endLeases();
  expect([await one.advance('a', 'third'), await one.renew('a', LEASE_MS)]).toEqual([false, false]);
  expect(await other.take('c', LEASE_MS)).toEqual({ eventId: 'second' });
});

it('gives a lease that ends later than any can last to another holder', async () => {
  const { one, other, moveLeases } = await createFixture();
  await one.take('a', LEASE_MS);
  await one.advance('a', 'first');
  await moveLeases(LEASE_MS / 2);
  expect(await other.take('b', LEASE_MS)).toBeUndefined();
  await moveLeases(LEASE_MS * 10);
  expect(await other.take('b', LEASE_MS)).toEqual({ eventId: 'first' });
  expect(await one.renew('a', LEASE_MS)).toBe(false);
  expect(await one.take('a', LEASE_MS)).toBeUndefined();
});

it('has one holder, however many ask at once', async () => {
  const { one, other } = await createFixture();
  const holders = Array.from({ length: 40 }, (_, index) => `holder-${index}`);
  const taken = await Promise.all(
    holders.map((holder, index) => (index % 2 === 0 ? one : other).take(holder, LEASE_MS)),
  );
  expect(taken.filter((progress) => progress !== undefined)).toHaveLength(1);
});

it('writes nothing for those that wait', async () => {
  const { one, other, writes } = await createFixture();
  await one.take('a', LEASE_MS);
  const before = await writes();
  await other.take('b', LEASE_MS);
  expect(await writes()).toEqual(before);
});

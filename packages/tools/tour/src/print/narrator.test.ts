import { expect, it } from 'vitest';
import { narrator } from './narrator.js';

const EXCHANGE = { from: 'A', method: 'GET', address: 'http://localhost:8080/', status: 200 };

it('keeps to itself what happens as before, however deep, but not what was proved', async () => {
  const lines: string[] = [];
  const told = narrator((line) => lines.push(line));
  await told.asBefore(async () => {
    await told.asBefore(async () => told.exchange(EXCHANGE));
    told.exchange(EXCHANGE);
    told.say('again');
    told.document('It says:', { sub: 'A' });
    told.proved('It is so.');
  });
  expect(lines).toEqual(['  ✓ It is so.']);
});

it('tells on after work that failed', async () => {
  const lines: string[] = [];
  const told = narrator((line) => lines.push(line));
  const failing = told.asBefore(async () => {
    throw new Error('it did not work');
  });
  await expect(failing).rejects.toThrow('it did not work');
  told.exchange(EXCHANGE);
  expect(lines).toEqual(['  A: GET http://localhost:8080/ 200']);
});

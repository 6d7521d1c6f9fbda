import { expect, it } from 'vitest';
import { narrator } from './narrator.js';

const EXCHANGE = { from: 'A', method: 'GET', address: 'http://localhost:8080/', status: 200 };

function tellerFor(isVerbose: boolean) {
  const lines: string[] = [];
  return { lines, teller: narrator({ write: (line) => lines.push(line), isVerbose }) };
}

it('hides repeated exchanges at any depth, but not checks', async () => {
  const { lines, teller } = tellerFor(true);
  await teller.asBefore(async () => {
    await teller.asBefore(async () => teller.exchange(EXCHANGE));
    teller.exchange(EXCHANGE);
    teller.say('again');
    teller.document('It says:', { sub: 'A' });
    teller.proved('It is so.');
  });
  expect(lines).toEqual(['  ✓ It is so.']);
});

it('continues printing after work that failed', async () => {
  const { lines, teller } = tellerFor(true);
  const failing = teller.asBefore(async () => {
    throw new Error('it did not work');
  });
  await expect(failing).rejects.toThrow('it did not work');
  teller.exchange(EXCHANGE);
  expect(lines).toEqual(['  A: GET http://localhost:8080/ 200']);
});

it('prints a line for each chapter, and what was checked and measured at the end', () => {
  const { lines, teller } = tellerFor(false);
  teller.chapter('A registers');
  teller.exchange(EXCHANGE);
  teller.proved('A is registered.');
  teller.notice('B is left out.');
  teller.chapter('A is deleted');
  for (const ms of [3, 11.2, 7]) teller.measured('longest', ms);
  teller.proved('A is gone.');
  teller.proved('Its tokens are gone.');
  teller.summary('pages: index.html');
  expect(lines.map((line) => line.replace(/in \d+ s/, 'in 0 s'))).toEqual([
    'B is left out.',
    '✓ 1. A registers (1 check)',
    '✓ 2. A is deleted (2 checks)',
    '\n2 chapters, 3 checks, 1 exchange in 0 s:',
    '- longest: 12 ms',
    '- pages: index.html',
    '\nThe tour is over: everything is as it should be.',
  ]);
});

it('prints the chapter in which the tour failed in full', () => {
  const { lines, teller } = tellerFor(false);
  teller.chapter('A registers');
  teller.proved('A is registered.');
  teller.chapter('A is deleted');
  teller.exchange(EXCHANGE);
  teller.proved('A is gone.');
  teller.failed();
  expect(lines).toEqual([
    '✓ 1. A registers (1 check)',
    '\n2. A is deleted\n',
    '  A: GET http://localhost:8080/ 200',
    '  ✓ A is gone.',
  ]);
});

import { expect, it } from 'vitest';
import { createReporter } from './reporter.js';

const EXCHANGE = { from: 'A', method: 'GET', address: 'http://localhost:8080/', status: 200 };

function reporterFor(isVerbose: boolean) {
  const lines: string[] = [];
  return { lines, reporter: createReporter({ write: (line) => lines.push(line), isVerbose }) };
}

it('does not print repeated exchanges at any depth, but prints their checks', async () => {
  const { lines, reporter } = reporterFor(true);
  await reporter.repeat(async () => {
    await reporter.repeat(async () => reporter.exchange(EXCHANGE));
    reporter.exchange(EXCHANGE);
    reporter.note('again');
    reporter.document('Claims:', { sub: 'A' });
    reporter.passed('A is registered.');
  });
  expect(lines).toEqual(['  ✓ A is registered.']);
});

it('prints exchanges again after repeated steps that failed', async () => {
  const { lines, reporter } = reporterFor(true);
  const failing = reporter.repeat(async () => {
    throw new Error('connection refused');
  });
  await expect(failing).rejects.toThrow('connection refused');
  reporter.exchange(EXCHANGE);
  expect(lines).toEqual(['  A: GET http://localhost:8080/ 200']);
});

it('prints a line for each chapter, and the numbers of checks and the longest times at the end', () => {
  const { lines, reporter } = reporterFor(false);
  reporter.chapter('A registers');
  reporter.exchange(EXCHANGE);
  reporter.passed('A is registered.');
  reporter.notice('B is skipped.');
  reporter.chapter('A is deleted');
  for (const ms of [3, 11.2, 7]) reporter.measured('longest', ms);
  reporter.passed('A is deleted.');
  reporter.passed('Its tokens are inactive.');
  reporter.summary('pages: index.html');
  expect(lines.map((line) => line.replace(/in \d+ s/, 'in 0 s'))).toEqual([
    'B is skipped.',
    '✓ 1. A registers (1 check)',
    '✓ 2. A is deleted (2 checks)',
    '\n2 chapters, 3 checks, 1 exchange in 0 s:',
    '- longest: 12 ms',
    '- pages: index.html',
    '\nEvery check passed.',
  ]);
});

it('prints every exchange and check of the chapter that failed', () => {
  const { lines, reporter } = reporterFor(false);
  reporter.chapter('A registers');
  reporter.passed('A is registered.');
  reporter.chapter('A is deleted');
  reporter.exchange(EXCHANGE);
  reporter.passed('A is deleted.');
  reporter.failed();
  expect(lines).toEqual([
    '✓ 1. A registers (1 check)',
    '\n2. A is deleted\n',
    '  A: GET http://localhost:8080/ 200',
    '  ✓ A is deleted.',
  ]);
});

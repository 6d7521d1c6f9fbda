import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { ensure, reportVersionText, step } from './report.mjs';

const TEST_FOLDER = 'packages/tools/publishing';
const RESULTS = resolve('walk.json');

/**
 * Runs the test that walks a guide, and reports each of its cases as a step.
 * @param environment the variables by which the test finds the server
 */
export async function walkGuide(guide, { version, environment }) {
  reportVersionText(version);
  rmSync(RESULTS, { force: true });
  const test = `${TEST_FOLDER}/test/${guide}.slow.test.ts`;
  const output = ['--reporter=default', '--reporter=json', `--outputFile.json=${RESULTS}`];
  const child = spawn('npx', ['-y', 'pnpm', 'exec', 'vitest', 'run', test, ...output], {
    cwd: process.env.VESTIBULE,
    env: { ...process.env, ...environment },
    stdio: ['ignore', process.stderr, process.stderr],
  });
  await once(child, 'close');
  const { testResults } = JSON.parse(readFileSync(RESULTS, 'utf8'));
  for (const { assertionResults } of testResults)
    for (const { title, status, failureMessages } of assertionResults)
      await step(title.replace('works as written: ', ''), () =>
        ensure(status === 'passed', failureMessages[0]?.split('\n', 1)[0] ?? status),
      );
}

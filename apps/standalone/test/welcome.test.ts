import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { startStandalone, temporaryFolder } from './support/standalone-process.js';

const run = promisify(execFile);

it('prints three commands that work as they stand, the last of which tells of a live token', async () => {
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const stack = await startStandalone(folder.path);
  onTestFinished(async () => {
    await stack.stop();
  });
  const commands = stack
    .output()
    .split('\n')
    .filter((line) => line.startsWith('  ') && line.includes('curl'));
  expect(commands).toHaveLength(3);
  const { stdout } = await run('/bin/sh', ['-c', commands.join('\n')]);
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    active: true,
    scope: 'read',
    sub: 'alice',
    iss: stack.issuer,
  });
});

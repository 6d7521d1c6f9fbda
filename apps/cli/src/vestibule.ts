#!/usr/bin/env node
import process from 'node:process';
import { COMMAND_GROUPS } from './commands/command-groups.js';
import { EXIT } from './frame/exit-code.js';
import { readInput } from './frame/read-input.js';
import { run } from './frame/run.js';

let isChange = false;

// A reader that has seen enough, like head, ends a command that tells; one that changes something does all of it.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' && isChange) return;
  if (code !== 'EPIPE') process.stderr.write(`vestibule: Cannot write to standard output (${code}).\n`);
  process.exit(code === 'EPIPE' ? EXIT.done : EXIT.failed);
});
// Where nobody reads what went wrong, the exit code still tells.
process.stderr.on('error', () => undefined);

process.exitCode = await run({
  groups: COMMAND_GROUPS,
  args: process.argv.slice(2),
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  readInput: (maxBytes) => readInput(process.stdin, maxBytes),
  onChange: () => {
    isChange = true;
  },
});

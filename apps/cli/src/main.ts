#!/usr/bin/env node
import process from 'node:process';
import { COMMAND_GROUPS } from './commands/command-groups.js';
import { EXIT } from './frame/command-failure.js';
import { readInput } from './frame/read-file.js';
import { run } from './frame/run.js';

let isChange = false;

// If the reader of the output closes it, such as `head`, a read-only command ends. A command that changes something
// completes.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' && isChange) return;
  if (code !== 'EPIPE') process.stderr.write(`vestibule: Cannot write to standard output (${code}).\n`);
  process.exit(code === 'EPIPE' ? EXIT.done : EXIT.failed);
});
// If standard error is closed, the exit code still reports the failure.
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

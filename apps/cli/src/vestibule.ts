#!/usr/bin/env node
import process from 'node:process';
import { COMMAND_GROUPS } from './commands/command-groups.js';
import { readInput } from './frame/read-input.js';
import { run } from './frame/run.js';

let isChange = false;

// A reader that has seen enough, like head, ends a command that tells; one that changes something does all of it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.exit(1);
  if (!isChange) process.exit(0);
});

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

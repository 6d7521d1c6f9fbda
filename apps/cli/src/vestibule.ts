#!/usr/bin/env node
import process from 'node:process';
import { COMMAND_GROUPS } from './commands/command-groups.js';
import { readInput } from './frame/read-input.js';
import { run } from './frame/run.js';

// A reader that has seen enough, like head, ends the command and nothing more.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await run({
  groups: COMMAND_GROUPS,
  args: process.argv.slice(2),
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  readInput: (maxBytes) => readInput(process.stdin, maxBytes),
});

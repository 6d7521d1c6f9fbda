// Writes COMMANDS.md from the built commands.
import { writeFile } from 'node:fs/promises';
import { COMMAND_GROUPS } from '../dist/commands/command-groups.js';
import { commandReference } from '../dist/frame/command-reference.js';
import { describeCommands } from '../dist/frame/describe-commands.js';

// Describing commands does not run them.
const reference = commandReference(await describeCommands({ groups: COMMAND_GROUPS }));
await writeFile(new URL('../COMMANDS.md', import.meta.url), reference);

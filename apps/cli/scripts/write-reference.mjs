// Writes COMMANDS.md from the built commands, and the JSON Schema of files of clients into the example.
import { writeFile } from 'node:fs/promises';
import { clientFileSchema } from '@vestibule/metadata';
import { COMMAND_GROUPS } from '../dist/commands/command-groups.js';
import { commandReference } from '../dist/frame/command-reference.js';
import { describeCommands } from '../dist/frame/describe-commands.js';

// Describing commands does not run them.
const reference = commandReference(await describeCommands({ groups: COMMAND_GROUPS }));
await writeFile(new URL('../COMMANDS.md', import.meta.url), reference);

const schema = new URL(
  '../../../packages/guides/examples/clients-as-files/clients/client.schema.json',
  import.meta.url,
);
await writeFile(schema, `${JSON.stringify(clientFileSchema(), undefined, 2)}\n`);

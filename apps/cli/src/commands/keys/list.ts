import { Command, Option } from '@commander-js/extra-typings';
import type { CommandFactory } from '../../frame/command-group.js';
import { withExamples } from '../../frame/examples.js';
import { timeText } from '../../frame/plain-text.js';
import type { Column } from '../../frame/table.js';
import { withDatabase } from '../../installation/with-database.js';
import { type KeyRecord, keyRecord, listKeys, RING_NAMES } from '../../keys/key-rings.js';

/** `vestibule keys list` */
export const keysList: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Lists the keys of every ring: the key pairs of the provider (which sign tokens, logout tokens and introspection answers), those that others encrypt to, those of the federation entity, and the data keys that seal and digest what is stored. Shows no key itself. Retired key pairs stay until nobody needs them to verify.',
      )
      .addOption(new Option('--ring <ring>', 'only those of this ring').choices(RING_NAMES))
      .action(({ ring }) =>
        withDatabase(cli, async ({ database }) => {
          const rows = (await listKeys(database)).map(keyRecord);
          const wanted = rows.filter((row) => ring === undefined || row.ring === ring);
          await cli.terminal.list(
            wanted,
            COLUMNS,
            'There are no keys; the services make them at their first start.',
          );
        }),
      ),
    ['keys list', 'all of them'],
    ['keys list --ring provider --json', 'what signs tokens, for a script'],
  );

const COLUMNS: readonly Column<KeyRecord>[] = [
  { title: 'RING', cell: ({ ring }) => ring },
  { title: 'ALGORITHM', cell: ({ algorithm }) => algorithm },
  { title: 'STATE', cell: ({ state }) => state },
  { title: 'CREATED', cell: ({ created_at: at }) => timeText(at) },
  { title: 'ENDS', cell: ({ expires_at: at }) => timeText(at) },
  { title: 'KEY-ENCRYPTION KEY', cell: ({ key_encryption_key: id }) => id },
  { title: 'ID', cell: ({ id }) => id },
];

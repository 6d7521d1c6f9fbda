import { Command, Option } from '@commander-js/extra-typings';
import { type KeyRecord, keyRecord, listKeys, RING_NAMES } from '@vestibule/crypto/key-rings';
import { systemClock } from '@vestibule/protocol';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { timeText } from '../../frame/plain-text.js';
import type { Column } from '../../frame/table.js';
import { withDatabase } from '../../installation/with-database.js';

/** `vestibule keys list` */
export const keysList: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Lists the keys of every ring: the signing keys of the provider (for tokens, logout tokens and introspection responses), its encryption keys, the keys of the federation entity, and the data keys that encrypt and digest stored data. Never prints key material. Retired key pairs stay listed until they are no longer needed to verify signatures.',
      )
      .addOption(new Option('--ring <ring>', 'only keys of this ring').choices(RING_NAMES))
      .action(({ ring }) =>
        withDatabase(cli, async ({ database }) => {
          const rows = (await listKeys(database, systemClock)).map(keyRecord);
          const wanted = rows.filter((row) => ring === undefined || row.ring === ring);
          await cli.terminal.list(
            wanted,
            COLUMNS,
            'There are no keys; the services create them at their first start.',
          );
        }),
      ),
    ['keys list', 'list all keys'],
    ['keys list --ring provider --json', 'the keys that sign tokens, for a script'],
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

import { Command } from '@commander-js/extra-typings';
import { migrationStatus } from '@vestibule/database';
import type { CommandFactory } from '../../frame/cli.js';
import { EXIT } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { tableLines } from '../../frame/table.js';
import { withDatabase } from '../../installation/with-database.js';

/** `vestibule db status` */
export const dbStatus: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Compares the database with the migrations of this version. Changes nothing. Exits with 1 if a migration is pending, failed, or was edited. Migrations that are only in the database come from a newer version and are not an error.',
      )
      .action(() =>
        withDatabase(cli, async ({ url }) => {
          const { pending, failed, edited, unknown } = await migrationStatus(url);
          const migrations = [
            ...failed.map((name) => ({ name, state: 'failed' })),
            ...edited.map((name) => ({ name, state: 'edited' })),
            ...pending.map((name) => ({ name, state: 'pending' })),
            ...unknown.map((name) => ({ name, state: 'unknown' })),
          ];
          const isCurrent = [pending, failed, edited].every(({ length }) => length === 0);
          cli.terminal.show({ current: isCurrent, pending, failed, edited, unknown }, [
            isCurrent
              ? 'The database has the schema of this version.'
              : 'The database does not have the schema of this version.',
            ...(migrations.length === 0 ? [] : ['', ...tableLines(COLUMNS, migrations)]),
          ]);
          if (!isCurrent) cli.exitWith(EXIT.failed);
        }),
      ),
    ['db status', 'check the database of the installation'],
    ['db status --json', 'the same for a script; the exit code is 0 if nothing needs to be done'],
  );

const COLUMNS = [
  { title: 'MIGRATION', cell: ({ name }: { readonly name: string }) => name },
  { title: 'STATE', cell: ({ state }: { readonly state: string }) => state },
];

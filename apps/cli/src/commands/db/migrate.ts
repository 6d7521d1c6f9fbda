import { Command } from '@commander-js/extra-typings';
import { migrate } from '@vestibule/database';
import type { CommandFactory } from '../../frame/cli.js';
import { failed } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { withDatabase } from '../../installation/with-database.js';

/** `vestibule db migrate` */
export const dbMigrate: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Applies the pending migrations in order. Waits if another process is migrating. Needs a direct connection, not a pooler. Run it before you start the services of a new version; services of the previous version keep working.',
      )
      .action(() =>
        withDatabase(cli, async ({ url }) => {
          const applied = await applyMigrations(url);
          cli.terminal.show(
            { applied },
            applied.length === 0
              ? ['Nothing to apply: the database has the schema of this version.']
              : applied.map((name) => `Applied ${name}`),
          );
        }),
      ),
    ['db migrate', 'bring the database up to date'],
    ['db migrate && vestibule db status', 'the same, and check the result'],
  );

async function applyMigrations(url: string): Promise<readonly string[]> {
  try {
    return await migrate(url);
  } catch (error) {
    throw failed(
      'The database responds, but a migration failed: see vestibule db status and the log of PostgreSQL.',
      error,
    );
  }
}

import { Command } from '@commander-js/extra-typings';
import { migrate } from '@vestibule/database';
import { failed } from '../../frame/command-failure.js';
import type { CommandFactory } from '../../frame/command-group.js';
import { withExamples } from '../../frame/examples.js';
import { withDatabase } from '../../installation/with-database.js';

/** `vestibule db migrate` */
export const dbMigrate: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Applies the migrations that the database lacks, in order, and waits for others who do the same. Needs a direct connection, not a pooler. Run it before the services of a new version start; those of the version before go on working.',
      )
      .action(() =>
        withDatabase(cli, async ({ url }) => {
          const applied = await applyMigrations(url);
          cli.terminal.show(
            { applied },
            applied.length === 0
              ? ['There was nothing to apply: the database has the schema of this version.']
              : applied.map((name) => `Applied ${name}`),
          );
        }),
      ),
    ['db migrate', 'bring the database up to date'],
    ['db migrate && vestibule db status', 'the same, and make sure of it'],
  );

async function applyMigrations(url: string): Promise<readonly string[]> {
  try {
    return await migrate(url);
  } catch (error) {
    throw failed(
      'The database answers, but could not be brought up to date: see vestibule db status, and the log of PostgreSQL.',
      error,
    );
  }
}

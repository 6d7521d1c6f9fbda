import { Command, Option } from '@commander-js/extra-typings';
import { CLIENT_ORIGINS } from '@vestibule/clients';
import { pruneClients } from '@vestibule/clients/management';
import { epochSeconds, nowSeconds, systemClock } from '@vestibule/protocol';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { withNotes } from '../../frame/notes.js';
import { integerValue } from '../../frame/option-values.js';
import { timeText } from '../../frame/plain-text.js';
import { withDatabase } from '../../installation/with-database.js';
import { clientsText } from './client-summary.js';

const DAY_S = 86_400;
const MAX_DAYS = 36_500;

/** `vestibule clients prune` */
export const pruneUnused: CommandFactory = (cli) =>
  withExamples(
    withNotes(new Command(), [
      'Without --yes the command only lists the clients.',
      'Clients with a live authorization, refresh token or identifier-based access token are kept.',
      'JWT access tokens are not stored, but issuing one counts as a use. None is cut short if its lifetime is at least a day shorter than the given period.',
    ])
      .description(
        'Deletes clients that have not been used for the given number of days, with everything that was issued to them, in batches.',
      )
      .requiredOption(
        '--unused-days <number>',
        'days since registration and last use',
        integerValue(1, MAX_DAYS),
      )
      .addOption(
        new Option('--origin <origin...>', 'how the clients were created')
          .choices(CLIENT_ORIGINS)
          .default(['open_registration' as const], 'open_registration'),
      )
      .option('--yes', 'confirm the deletion; without it nothing is deleted')
      .addOption(actorOption())
      .action(({ unusedDays, origin, yes, actor }) =>
        withDatabase(cli, async ({ database }) => {
          const dryRun = yes !== true;
          const unusedSince = epochSeconds(Math.max(0, nowSeconds(systemClock) - unusedDays * DAY_S));
          const batches = pruneClients(
            { clients: database.clients, clock: systemClock },
            { unusedSince, origins: origin, dryRun, actor },
          );
          const count = await cli.terminal.list(rowsOf(batches), COLUMNS, 'There are no such clients.');
          if (count > 0)
            cli.terminal.note(
              dryRun
                ? `Nothing was deleted: use --yes to delete ${clientsText(count)}.`
                : `Deleted ${clientsText(count)}.`,
            );
        }),
      ),
    ['clients prune --unused-days 90', 'list open registrations that were not used for 90 days'],
    ['clients prune --unused-days 90 --yes', 'delete these clients'],
  );

type Batches = ReturnType<typeof pruneClients>;

async function* rowsOf(batches: Batches) {
  for await (const batch of batches) {
    for (const { id, issuedAt, lastUsedAt } of batch) {
      yield {
        client_id: id,
        issued_at: issuedAt,
        ...(lastUsedAt !== undefined && { last_used_at: lastUsedAt }),
      };
    }
  }
}

const COLUMNS = [
  { title: 'CLIENT ID', cell: (row: { client_id: string }) => row.client_id },
  { title: 'ISSUED', cell: (row: { issued_at: number }) => timeText(row.issued_at) },
  { title: 'LAST USED', cell: (row: { last_used_at?: number }) => timeText(row.last_used_at) },
];

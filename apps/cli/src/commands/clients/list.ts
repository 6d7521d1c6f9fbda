import { Command, Option } from '@commander-js/extra-typings';
import { CLIENT_ORIGINS, type Client, type ClientRepository } from '@vestibule/clients';
import type { ClientFilter } from '@vestibule/clients/management';
import { nowSeconds, systemClock } from '@vestibule/protocol';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { integerValue } from '../../frame/option-values.js';
import { withDatabase } from '../../installation/with-database.js';
import { CLIENT_COLUMNS, type ClientSummary, clientSummary } from './client-summary.js';
import { instantValue, namePartValue } from './client-values.js';

/** `vestibule clients list` */
export const listClients: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Lists clients in the order of registration, page by page and in constant memory. Expired clients are left out; credentials are never shown.',
      )
      .option('--name <prefix>', 'prefix of client_name')
      .option('--name-contains <text>', 'part of client_name in any language, ignoring case', namePartValue)
      .option('--redirect-uri <uri>', 'one of redirect_uris, exact match')
      .option('--contact <contact>', 'one of contacts, whole value, ignoring case')
      .option('--grant-type <type>', 'one of the grant types')
      .addOption(new Option('--origin <origin>', 'how the clients were created').choices(CLIENT_ORIGINS))
      .addOption(
        new Option('--status <status>', 'active, pending or suspended').choices([
          'active',
          'pending',
          'suspended',
        ] as const),
      )
      .option('--software-id <id>', 'software_id')
      .option(
        '--issued-after <time>',
        'issued after this time, as 2026-01-31 or 2026-01-31T12:00:00Z',
        instantValue,
      )
      .option('--issued-before <time>', 'issued before this time', instantValue)
      .option('--limit <number>', 'maximum number of clients', integerValue(1, 1_000_000_000))
      .addOption(new Option('--ndjson', 'print JSON, one client per line').conflicts('json'))
      .action(({ limit = Number.POSITIVE_INFINITY, ndjson = false, ...options }) =>
        withDatabase(cli, async ({ database }) => {
          const clients = summaries(database.clients, filterOf(options), limit);
          if (!ndjson) {
            await cli.terminal.list(clients, CLIENT_COLUMNS, 'There are no such clients.');
            return;
          }
          for await (const client of clients) cli.terminal.writeJson(client);
        }),
      ),
    ['clients list --status pending', 'clients that wait for approval'],
    ['clients list --name-contains shop --contact ops@example.org', 'clients by name and contact'],
    ['clients list --origin import --json', 'the imported clients, for a script'],
    ['clients list --ndjson > clients.ndjson', 'every client, one per line'],
  );

interface FilterOptions {
  readonly name?: string;
  readonly nameContains?: string;
  readonly redirectUri?: string;
  readonly contact?: string;
  readonly grantType?: string;
  readonly origin?: Client['origin'];
  readonly status?: Client['status'];
  readonly softwareId?: string;
  readonly issuedAfter?: ReturnType<typeof instantValue>;
  readonly issuedBefore?: ReturnType<typeof instantValue>;
}

function filterOf(options: FilterOptions): ClientFilter {
  const { name, nameContains, redirectUri, contact } = options;
  const { grantType, origin, status, softwareId, issuedAfter, issuedBefore } = options;
  return {
    ...(name !== undefined && { namePrefix: name }),
    ...(nameContains !== undefined && { namePart: nameContains }),
    ...(redirectUri !== undefined && { redirectUri }),
    ...(contact !== undefined && { contact }),
    ...(grantType !== undefined && { grantType }),
    ...(origin !== undefined && { origin }),
    ...(status !== undefined && { status }),
    ...(softwareId !== undefined && { softwareId }),
    ...(issuedAfter !== undefined && { issuedAfter }),
    ...(issuedBefore !== undefined && { issuedBefore }),
  };
}

async function* summaries(
  clients: ClientRepository,
  filter: ClientFilter,
  limit: number,
): AsyncGenerator<ClientSummary> {
  let left = limit;
  for await (const page of clients.list({ filter, now: nowSeconds(systemClock) })) {
    for (const client of page) {
      if (left === 0) return;
      left -= 1;
      yield clientSummary(client);
    }
  }
}

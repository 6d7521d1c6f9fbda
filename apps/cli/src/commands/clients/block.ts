import { Command } from '@commander-js/extra-typings';
import { blockClients } from '@vestibule/clients/blocks';
import { systemClock } from '@vestibule/protocol';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { withNotes } from '../../frame/notes.js';
import { timeText } from '../../frame/plain-text.js';
import { withDatabase } from '../../installation/with-database.js';
import { hostOption, namesIn, redirectUriOption, softwareIdOption } from './block-names.js';
import { clientsText } from './client-summary.js';

/** `vestibule clients block` */
export const blockRegistrations: CommandFactory = (cli) =>
  withExamples(
    withNotes(new Command(), [
      'Without --yes the command only lists the clients that it would delete.',
      'A host covers the client identifier, the federation entity and every http and https URI in the metadata, with any port. *.app.example covers the subdomains of app.example and not app.example itself: give both to block both.',
      'A redirect URI is compared with scheme and host in lower case, and on loopback addresses with any port. cursor:* covers every redirect URI with the scheme, https://app.example/* every one with the origin. http://localhost/* covers nearly every application that runs on the machine of its user.',
      'From the start, registrations and updates with these names are refused in every service, also with an initial access token, the master token and by import. A blocked client can no longer log in or get tokens; those that it has stay valid until it is deleted. The command can be interrupted: a repetition, or the clean-up of the services, deletes the remaining clients.',
    ])
      .description(
        'Blocks clients by host, redirect URI or software, and deletes those that are registered, with everything that was issued to them.',
      )
      .addOption(hostOption())
      .addOption(redirectUriOption())
      .addOption(softwareIdOption())
      .option('--reason <text>', 'reason, shown in the list of blocks')
      .option('--yes', 'confirm; without it nothing is blocked and deleted')
      .addOption(actorOption())
      .action((options) => {
        const names = namesIn(options);
        const { yes, reason, actor } = options;
        const dryRun = yes !== true;
        return withDatabase(cli, async ({ database }) => {
          const deps = { blocks: database.clientBlocks, clock: systemClock };
          const batches = blockClients(deps, { names, reason, dryRun, actor });
          const count = await cli.terminal.list(rowsOf(batches), COLUMNS, 'There are no such clients.');
          cli.terminal.note(
            dryRun
              ? `Nothing was changed: use --yes to block these names and delete ${clientsText(count)}.`
              : `Blocked; deleted ${clientsText(count)}.`,
          );
        });
      }),
    [
      'clients block --host app.example --host "*.app.example"',
      'list the clients of a host and its subdomains',
    ],
    [
      'clients block --host app.example --reason phishing --yes --actor jane',
      'delete the clients of a host, and refuse new ones',
    ],
    ['clients block --software-id 4NRB1-0XZABZI9E6-5SM3R --yes', 'end a software in every version'],
    ['clients block --redirect-uri "badapp:*" --yes', 'end every application that owns a scheme'],
  );

async function* rowsOf(batches: ReturnType<typeof blockClients>) {
  for await (const batch of batches)
    for (const { id, origin, issuedAt } of batch) yield { client_id: id, origin, issued_at: issuedAt };
}

interface Row {
  readonly client_id: string;
  readonly origin: string;
  readonly issued_at: number;
}

const COLUMNS = [
  { title: 'CLIENT ID', cell: ({ client_id }: Row) => client_id },
  { title: 'ORIGIN', cell: ({ origin }: Row) => origin },
  { title: 'ISSUED', cell: ({ issued_at }: Row) => timeText(issued_at) },
];

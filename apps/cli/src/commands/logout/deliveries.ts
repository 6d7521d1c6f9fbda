import { Command, Option } from '@commander-js/extra-typings';
import { deliveryResponse } from '@vestibule/logout-service/delivery-response';
import { parseClientId } from '@vestibule/protocol';
import type { CommandFactory } from '../../frame/cli.js';
import { misused } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { integerValue } from '../../frame/option-values.js';
import { timeText } from '../../frame/plain-text.js';
import type { Column } from '../../frame/table.js';
import { withDatabase } from '../../installation/with-database.js';

/** `vestibule logout deliveries` */
export const logoutDeliveries: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Lists back-channel logout notifications, newest first: pending, delivered, and dead (given up). The list can be filtered by end-user or session, but shows neither.',
      )
      .addOption(
        new Option('--state <state>', 'only notifications in this state').choices([
          'pending',
          'delivered',
          'dead',
        ] as const),
      )
      .option('--client-id <id>', 'only notifications of this client')
      .option('--sub <subject>', 'only notifications about this end-user')
      .option(
        '--sid <session>',
        'only notifications of this session, by its own identifier or by the sid that a client has for it',
      )
      .addOption(
        new Option('--limit <number>', 'maximum number of rows')
          .argParser(integerValue(1, 10_000))
          .default(100),
      )
      .action(({ state, clientId, sub, sid, limit }) =>
        withDatabase(cli, async ({ database }) => {
          const id = clientId === undefined ? undefined : parseClientId(clientId);
          if (clientId !== undefined && id === undefined)
            throw misused('--client-id: not a valid client identifier.');
          const records = await database.logoutDeliveries.list({
            limit,
            ...(state !== undefined && { state }),
            ...(id !== undefined && { clientId: id }),
            ...(sub !== undefined && { subject: sub }),
            ...(sid !== undefined && { session: sid }),
          });
          await cli.terminal.list(records.map(deliveryResponse), COLUMNS, 'There are no such notifications.');
        }),
      ),
    ['logout deliveries --state dead', 'list the notifications that were given up'],
    ['logout deliveries --client-id wiki --json', 'the notifications of one client, for a script'],
    ['logout deliveries --sub alice', 'check whether the applications of an end-user were notified'],
  );

const COLUMNS: readonly Column<ReturnType<typeof deliveryResponse>>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'STATE', cell: ({ state }) => state },
  { title: 'ATTEMPTS', cell: ({ attempts }) => attempts },
  { title: 'LAST', cell: ({ last_status: status, last_error: error }) => status ?? error, isCut: true },
  { title: 'CREATED', cell: ({ created_at: at }) => timeText(at) },
  { title: 'NEXT', cell: ({ next_attempt_at: at }) => timeText(at) },
  { title: 'CLIENT', cell: ({ client_id: id }) => id },
  { title: 'ADDRESS', cell: ({ uri }) => uri, isCut: true },
];

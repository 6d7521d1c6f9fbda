import { Command, Option } from '@commander-js/extra-typings';
import { deliveryResponse } from '@vestibule/logout-service/delivery-answer';
import { parseClientId } from '@vestibule/protocol';
import { misused } from '../../frame/command-failure.js';
import type { CommandFactory } from '../../frame/command-group.js';
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
        'Lists back-channel logout notifications, the latest first: those that wait, were taken, or were given up. The list can be narrowed to an end-user or a session; it names neither.',
      )
      .addOption(
        new Option('--state <state>', 'only those in this state').choices([
          'pending',
          'delivered',
          'dead',
        ] as const),
      )
      .option('--client-id <id>', 'only those of this client')
      .option('--sub <subject>', 'only those about this end-user')
      .option(
        '--sid <session>',
        'only those of this session, by its own identifier or by one that a client knows it by',
      )
      .addOption(
        new Option('--limit <number>', 'the most that are listed')
          .argParser(integerValue(1, 10_000))
          .default(100),
      )
      .action(({ state, clientId, sub, sid, limit }) =>
        withDatabase(cli, async ({ database }) => {
          const id = clientId === undefined ? undefined : parseClientId(clientId);
          if (clientId !== undefined && id === undefined) throw misused('That is no client identifier.');
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
    ['logout deliveries --state dead', 'see what was given up'],
    ['logout deliveries --client-id wiki --json', 'those of one client, for a script'],
    ['logout deliveries --sub alice', 'see whether the applications of an end-user were notified'],
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

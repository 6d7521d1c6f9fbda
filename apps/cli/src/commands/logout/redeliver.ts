import { Command } from '@commander-js/extra-typings';
import { systemClock } from '@vestibule/protocol';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { EXIT } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { withDatabase } from '../../installation/with-database.js';

/** `vestibule logout redeliver` */
export const logoutRedeliver: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Queues notifications again, as if their sessions had ended now, with the current logout URIs of their clients. The logout service delivers them. Exits with 3 if one does not exist, with 4 if one is already pending.',
      )
      .argument('<id...>', 'notification identifiers, as shown by logout deliveries')
      .addOption(actorOption())
      .action((ids, { actor }) =>
        withDatabase(cli, async ({ database }) => {
          const { logoutDeliveries: outbox } = database.actingAs({ actor, clock: systemClock });
          const rows: { readonly id: string; readonly outcome: keyof typeof MEANING }[] = [];
          for (const id of ids)
            rows.push({ id, outcome: ID.test(id) ? await outbox.redeliver(id) : 'unknown' });
          await cli.terminal.list(
            rows,
            [
              { title: 'ID', cell: ({ id }) => id },
              { title: 'OUTCOME', cell: ({ outcome }) => MEANING[outcome] },
            ],
            'No notifications given.',
          );
          const outcomes = new Set(rows.map(({ outcome }) => outcome));
          if (outcomes.has('already_pending')) cli.exitWith(EXIT.conflict);
          if (outcomes.has('unknown')) cli.exitWith(EXIT.notFound);
        }),
      ),
    ['logout redeliver 5b1f…', 'deliver a notification again'],
    [
      "logout deliveries --state dead --json | jq -r '.[].id' | xargs vestibule logout redeliver",
      'deliver every dead notification again',
    ],
  );

/** Format of identifiers; other texts are not looked up. */
const ID = /^[0-9]{1,18}$/;

const MEANING = {
  queued: 'queued for its next attempt',
  already_pending: 'already pending',
  unknown: 'does not exist',
} as const;

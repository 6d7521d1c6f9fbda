import { Command } from '@commander-js/extra-typings';
import { approveClient, rejectClient } from '@vestibule/clients';
import { actorOption } from '../../frame/actor-option.js';
import { conflict } from '../../frame/command-failure.js';
import type { CommandFactory } from '../../frame/command-group.js';
import { withExamples } from '../../frame/examples.js';
import { clientsText } from './client-summary.js';
import { requireClient } from './show.js';
import { withRegistration } from './with-registration.js';

/** `vestibule clients approve` */
export const approveClients: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Approves clients that wait for it. Those that are active already stay as they are; nothing is approved when one of them does not exist.',
      )
      .argument('<client-id...>')
      .addOption(actorOption())
      .action((ids, { actor }) =>
        withRegistration(cli, async (deps) => {
          for (const id of ids) await requireClient(deps.clients, id);
          for (const id of ids) await approveClient(deps, { id, operator: actor });
          cli.terminal.show({ approved: ids }, [`Approved ${clientsText(ids.length)}.`]);
        }),
      ),
    ['clients approve s6BhdRkqt3', 'let a client in'],
  );

/** `vestibule clients reject` */
export const rejectClients: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Rejects clients that wait for approval: they are deleted. Nothing is rejected when one of them does not wait.',
      )
      .argument('<client-id...>')
      .addOption(actorOption())
      .action((ids, { actor }) =>
        withRegistration(cli, async (deps) => {
          for (const id of ids) {
            const { status } = await requireClient(deps.clients, id);
            if (status !== 'pending')
              throw conflict(
                `The client ${id} does not wait for approval: see vestibule clients list --status pending.`,
              );
          }
          for (const id of ids) await rejectClient(deps, { id, operator: actor });
          cli.terminal.show({ rejected: ids }, [`Rejected ${clientsText(ids.length)}.`]);
        }),
      ),
    ['clients reject s6BhdRkqt3', 'turn a client away'],
  );

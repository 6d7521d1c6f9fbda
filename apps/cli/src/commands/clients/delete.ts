import { Command } from '@commander-js/extra-typings';
import { deleteClient } from '@vestibule/clients/management';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { misused } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { clientsText } from './client-summary.js';
import { requireClient } from './show.js';
import { withRegistration } from './with-registration.js';

/** `vestibule clients delete` */
export const deleteClients: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Deletes clients and everything that was issued to them: tokens, authorizations and their entries in sessions. If one of the clients does not exist, none is deleted.',
      )
      .argument('<client-id...>')
      .option('--yes', 'confirm the deletion; without it nothing is deleted')
      .addOption(actorOption())
      .action((ids, { yes, actor }) =>
        withRegistration(cli, async (deps) => {
          for (const id of ids) await requireClient(deps.clients, id);
          if (yes !== true)
            throw misused(`Nothing was deleted: use --yes to delete ${clientsText(ids.length)}.`);
          for (const id of ids) await deleteClient(deps, { id, operator: actor });
          cli.terminal.show({ deleted: ids }, [`Deleted ${clientsText(ids.length)}.`]);
        }),
      ),
    ['clients delete s6BhdRkqt3 --yes', 'delete a client'],
  );

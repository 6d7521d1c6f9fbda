import { Command } from '@commander-js/extra-typings';
import { changeClientStatus } from '@vestibule/clients/management';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { clientsText } from './client-summary.js';
import { requireStatus } from './require-status.js';
import { requireClient } from './show.js';
import { withRegistration } from './with-registration.js';

/** `vestibule clients suspend` */
export const suspendClients: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Disables clients without deleting them: they cannot authenticate or get tokens, and their tokens are inactive until they are resumed. Clients that are already suspended stay suspended. If one of the clients does not exist, none is suspended.',
      )
      .argument('<client-id...>')
      .addOption(actorOption())
      .action((ids, { actor }) =>
        withRegistration(cli, async (deps) => {
          for (const id of ids) await requireClient(deps.clients, id);
          for (const id of ids) await changeClientStatus(deps, { id, operator: actor, status: 'suspended' });
          cli.terminal.show({ suspended: ids }, [`Suspended ${clientsText(ids.length)}.`]);
        }),
      ),
    ['clients suspend s6BhdRkqt3', 'disable a client'],
  );

/** `vestibule clients resume` */
export const resumeClients: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Resumes suspended clients: tokens that have neither expired nor been revoked are active again. If one of the clients is not suspended, none is resumed.',
      )
      .argument('<client-id...>')
      .addOption(actorOption())
      .action((ids, { actor }) =>
        withRegistration(cli, async (deps) => {
          await requireStatus(deps.clients, ids, 'suspended');
          for (const id of ids) await changeClientStatus(deps, { id, operator: actor, status: 'active' });
          cli.terminal.show({ resumed: ids }, [`Resumed ${clientsText(ids.length)}.`]);
        }),
      ),
    ['clients resume s6BhdRkqt3', 'resume a client'],
  );

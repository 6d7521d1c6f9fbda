import { Command } from '@commander-js/extra-typings';
import type { Client } from '@vestibule/clients';
import { changeClientStatus, rejectClient } from '@vestibule/clients/management';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { conflict, misused } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { integerValue } from '../../frame/option-values.js';
import { clientsText } from './client-summary.js';
import { requireStatus } from './require-status.js';
import { requireClient } from './show.js';
import { withRegistration } from './with-registration.js';

/** `vestibule clients approve` */
export const approveClients: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Approves clients that wait for approval. Clients that are already active stay active. If one of the clients does not exist, none is approved.',
      )
      .argument('<client-id...>')
      .option(
        '--if-version <number>',
        'approve the client only if it still has this version, as shown by clients show',
        integerValue(1, 2_147_483_647),
      )
      .addOption(actorOption())
      .action((ids, { actor, ifVersion }) =>
        withRegistration(cli, async (deps) => {
          if (ifVersion !== undefined && ids.length > 1)
            throw misused('--if-version can be used with one client only.');
          for (const id of ids) requireApprovable(await requireClient(deps.clients, id), ifVersion);
          for (const id of ids)
            await changeClientStatus(deps, { id, operator: actor, status: 'active', ifVersion });
          cli.terminal.show({ approved: ids }, [`Approved ${clientsText(ids.length)}.`]);
        }),
      ),
    ['clients approve s6BhdRkqt3', 'approve a client'],
    ['clients approve s6BhdRkqt3 --if-version 1', 'the same, unless it has changed since it was shown'],
  );

function requireApprovable({ id, status, version }: Client, ifVersion: number | undefined): void {
  if (status === 'suspended') throw conflict(`The client ${id} is suspended: see vestibule clients resume.`);
  if (ifVersion !== undefined && ifVersion !== version)
    throw conflict(
      `The client ${id} has changed and now has version ${version}: see vestibule clients show.`,
    );
}

/** `vestibule clients reject` */
export const rejectClients: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Rejects clients that wait for approval: they are deleted. If one of the clients does not wait for approval, none is rejected.',
      )
      .argument('<client-id...>')
      .addOption(actorOption())
      .action((ids, { actor }) =>
        withRegistration(cli, async (deps) => {
          await requireStatus(deps.clients, ids, 'pending');
          for (const id of ids) await rejectClient(deps, { id, operator: actor });
          cli.terminal.show({ rejected: ids }, [`Rejected ${clientsText(ids.length)}.`]);
        }),
      ),
    ['clients reject s6BhdRkqt3', 'reject a client'],
  );

import { Command } from '@commander-js/extra-typings';
import { carryOutDenial } from '@vestibule/federation/clients';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { misused } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { withStore } from '../../installation/with-store.js';
import { clientsText } from '../clients/client-summary.js';
import { entityArgument } from './entity-argument.js';

/** `vestibule federation deny` */
export const denyEntity: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Puts an entity on the deny list. From then on, registrations are refused if their trust chain contains the entity as subject, superior, trust anchor, or issuer or owner of a required trust mark. Clients registered through it are deleted with everything that was issued to them. Takes effect at once in every service.',
      )
      .argument('<entity-id>')
      .option('--reason <text>', 'reason, shown in the deny list')
      .option('--yes', 'confirm the deletion of clients; without it nothing changes if there are any')
      .addOption(actorOption())
      .action((argument, { reason, yes, actor }) =>
        withStore(cli, async ({ store: { database, clock } }) => {
          const entityId = entityArgument(argument);
          const before = await database.federation.clientsThrough(entityId);
          if (before.length > 0 && yes !== true)
            throw misused(
              `Nothing was changed: use --yes to deny the entity and delete ${clientsText(before.length)}.`,
            );
          const { deleted } = await carryOutDenial(
            { clock, clients: database.clients, records: database.federation },
            { entityId, ...(reason !== undefined && { reason }), actor },
          );
          cli.terminal.show({ entity_id: entityId, denied: true, deleted }, [
            `${entityId} is denied; deleted ${clientsText(deleted.length)}.`,
          ]);
        }),
      ),
    [
      'federation deny https://rp.example.org --reason "keys stolen" --yes',
      'deny an entity and delete its clients',
    ],
  );

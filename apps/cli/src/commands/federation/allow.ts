import { Command } from '@commander-js/extra-typings';
import { nowSeconds } from '@vestibule/protocol';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { notFound } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { withStore } from '../../installation/with-store.js';
import { entityArgument } from './entity-argument.js';

/** `vestibule federation allow` */
export const allowEntity: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Removes an entity from the deny list. Deleted clients are not restored, but the entity can register again.',
      )
      .argument('<entity-id>')
      .addOption(actorOption())
      .action((argument, { actor }) =>
        withStore(cli, async ({ store: { database, clock } }) => {
          const entityId = entityArgument(argument);
          if (!(await database.federation.allow(entityId, { actor, now: nowSeconds(clock) })))
            throw notFound(`${entityId} is not on the deny list.`);
          cli.terminal.show({ entity_id: entityId, denied: false }, [`${entityId} is no longer denied.`]);
        }),
      ),
    ['federation allow https://rp.example.org', 'let an entity register again'],
  );

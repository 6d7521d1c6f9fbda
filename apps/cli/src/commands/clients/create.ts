import { Command } from '@commander-js/extra-typings';
import { dryRunRegistration, operatorAuthority, registerClient } from '@vestibule/clients/registration';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { readJsonFile } from '../../frame/read-file.js';
import { fieldLines } from '../../frame/table.js';
import { memberFields } from './client-summary.js';
import { withRegistration } from './with-registration.js';

/** `vestibule clients create` */
export const createClient: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Registers a client as the registration endpoint does with the master token, and shows it with its credentials. The metadata may contain data, preferred_client_id and preferred_client_secret.',
      )
      .argument('<file>', 'client metadata as JSON; - for standard input')
      .option('--dry-run', 'show what would be registered, but register nothing')
      .addOption(actorOption())
      .action(async (path, { dryRun, actor }) => {
        const input = { authority: operatorAuthority(actor), body: await readJsonFile(cli, path) };
        await withRegistration(cli, async (deps) => {
          const registered =
            dryRun === true
              ? await dryRunRegistration(deps, input)
              : (await registerClient(deps, input)).information;
          cli.terminal.show(registered, fieldLines(memberFields(registered)));
        });
      }),
    ['clients create shop.json', 'register a client'],
    ['clients create - --dry-run < shop.json', 'see what would be registered'],
  );

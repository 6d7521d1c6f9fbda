import { Command } from '@commander-js/extra-typings';
import { updateClient } from '@vestibule/clients';
import { actorOption } from '../../frame/actor-option.js';
import { conflict } from '../../frame/command-failure.js';
import type { CommandFactory } from '../../frame/command-group.js';
import { withExamples } from '../../frame/examples.js';
import { fieldLines } from '../../frame/table.js';
import { requireClient } from './show.js';
import { withRegistration } from './with-registration.js';

/** `vestibule clients rotate-secret` */
export const rotateSecret: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Gives a client a new secret and shows it. The one before stops authenticating at once, or after CLIENT_SECRET_OVERLAP_SECONDS.',
      )
      .argument('<client-id>')
      .addOption(actorOption())
      .action((id, { actor }) =>
        withRegistration(cli, async (deps) => {
          const client = await requireClient(deps.clients, id);
          if (client.secret === undefined) throw conflict('The client has no secret.');
          const settings = {
            ...deps.settings,
            rotateSecretOnUpdate: true,
            rotateRegistrationTokenOnUpdate: false,
          };
          const body = {
            ...client.metadata,
            ...(client.data && { data: client.data }),
            client_id: client.id,
          };
          const { information } = await updateClient({ ...deps, settings }, { id, operator: actor, body });
          const { client_id, client_secret, client_secret_expires_at } = information;
          const secret = { client_id, client_secret, client_secret_expires_at };
          cli.terminal.show(secret, fieldLines({ client_id, client_secret: String(client_secret) }));
        }),
      ),
    ['clients rotate-secret s6BhdRkqt3', 'replace a secret that may have leaked'],
  );

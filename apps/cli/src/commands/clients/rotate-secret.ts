import { Command } from '@commander-js/extra-typings';
import { rotateClientSecret } from '@vestibule/clients';
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
        'Gives a client a new secret and shows it. The one before stops authenticating at once, or after CLIENT_SECRET_OVERLAP_SECONDS. Nothing else changes: the registration access token stays, and metadata that could not be registered any more do not stand in the way.',
      )
      .argument('<client-id>')
      .addOption(actorOption())
      .action((id, { actor }) =>
        withRegistration(cli, async (deps) => {
          const { secret: present } = await requireClient(deps.clients, id);
          if (present === undefined) throw conflict('The client has no secret.');
          const { client, secret } = await rotateClientSecret(deps, { id, operator: actor });
          const shown = { client_id: client.id, client_secret: secret };
          const expiresAt = client.secret?.expiresAt ?? 0;
          cli.terminal.show({ ...shown, client_secret_expires_at: expiresAt }, fieldLines(shown));
        }),
      ),
    ['clients rotate-secret s6BhdRkqt3', 'replace a secret that may have leaked'],
  );

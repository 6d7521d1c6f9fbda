import { Command } from '@commander-js/extra-typings';
import { rotateClientSecret, rotateRegistrationToken } from '@vestibule/clients/management';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { conflict } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { fieldLines } from '../../frame/table.js';
import { requireClient } from './show.js';
import { withRegistration } from './with-registration.js';

/** `vestibule clients rotate-secret` */
export const rotateSecret: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Issues a new secret for a client and shows it. The previous secret stops authenticating at once, or after CLIENT_SECRET_OVERLAP_SECONDS. Nothing else changes: the registration access token stays valid, and the metadata is not validated again.',
      )
      .argument('<client-id>')
      .addOption(actorOption())
      .action((id, { actor }) =>
        withRegistration(cli, async (deps) => {
          const { secret: present, secretHash } = await requireClient(deps.clients, id);
          if (present === undefined && secretHash === undefined) throw conflict('The client has no secret.');
          const { information } = await rotateClientSecret(deps, { id, operator: actor });
          const { client_id, client_secret, client_secret_expires_at } = information;
          const shown = { client_id, client_secret: String(client_secret) };
          cli.terminal.show({ ...shown, client_secret_expires_at }, fieldLines(shown));
        }),
      ),
    ['clients rotate-secret s6BhdRkqt3', 'replace a secret that may have leaked'],
  );

/** `vestibule clients rotate-registration-token` */
export const rotateToken: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Issues a new registration access token for a client and shows it. The previous token stops working at once. Nothing else changes.',
      )
      .argument('<client-id>')
      .addOption(actorOption())
      .action((id, { actor }) =>
        withRegistration(cli, async (deps) => {
          const { registrationToken: present } = await requireClient(deps.clients, id);
          if (present === undefined) throw conflict('The client has no registration access token.');
          const { information } = await rotateRegistrationToken(deps, { id, operator: actor });
          const { client_id, registration_access_token: token } = information;
          const shown = { client_id, registration_access_token: String(token) };
          cli.terminal.show(shown, fieldLines(shown));
        }),
      ),
    ['clients rotate-registration-token s6BhdRkqt3', 'replace a token that may have leaked'],
  );

import { Command } from '@commander-js/extra-typings';
import { type Client, type ClientRepository, revealCredentials } from '@vestibule/clients';
import { parseClientId } from '@vestibule/protocol';
import type { Cli, CommandFactory } from '../../frame/cli.js';
import { notFound } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { fieldLines } from '../../frame/table.js';
import { withDatabase } from '../../installation/with-database.js';
import { withStore } from '../../installation/with-store.js';
import { clientFields, clientSummary } from './client-summary.js';

/** `vestibule clients show` */
export const showClient: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Shows the registration of a client, including an expired one. Changes nothing: an expired secret is not renewed.',
      )
      .argument('<client-id>')
      .option('--credentials', 'also show its secret and registration access token')
      .action((id, { credentials }) =>
        credentials === true ? showCredentials(cli, id) : showRegistered(cli, id),
      ),
    ['clients show s6BhdRkqt3', 'show a client'],
    ['clients show s6BhdRkqt3 --credentials --json', 'the same with its secret, for a script'],
  );

function showRegistered(cli: Cli, id: string): Promise<void> {
  return withDatabase(cli, async ({ database }) => {
    const summary = clientSummary(await requireClient(database.clients, id));
    cli.terminal.show(summary, fieldLines(clientFields(summary)));
  });
}

function showCredentials(cli: Cli, id: string): Promise<void> {
  return withStore(cli, async ({ store: { database, encryptor } }) => {
    const client = await requireClient(database.clients, id);
    const { secret, registrationToken } = await revealCredentials(encryptor, client);
    const credentials = {
      ...(secret !== undefined && { client_secret: secret }),
      ...(registrationToken !== undefined && { registration_access_token: registrationToken }),
    };
    const summary = clientSummary(client);
    cli.terminal.show(
      { ...summary, ...credentials },
      fieldLines({ ...clientFields(summary), ...credentials }),
    );
  });
}

/**
 * Finds a client.
 * @throws CommandFailure if it does not exist
 */
export async function requireClient(clients: Pick<ClientRepository, 'find'>, id: string): Promise<Client> {
  const clientId = parseClientId(id);
  const client = clientId && (await clients.find(clientId));
  if (client === undefined) throw notFound(`There is no client ${id}: see vestibule clients list.`);
  return client;
}

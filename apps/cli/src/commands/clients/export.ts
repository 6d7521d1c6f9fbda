import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { Client, ClientOwner, OperatorActor } from '@vestibule/clients';
import { adoptClient, ownershipRefusal } from '@vestibule/clients/files';
import { clientFileSchema } from '@vestibule/metadata';
import { nowSeconds } from '@vestibule/protocol';
import { actorOption } from '../../frame/actor-option.js';
import type { Cli, CommandFactory } from '../../frame/cli.js';
import { EXIT, failed } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { withNotes } from '../../frame/notes.js';
import { ownerOption } from '../../frame/owner-option.js';
import { clientFileName, clientFileText, SCHEMA_FILE, writeNewFile } from './client-file-text.js';
import { requireClient } from './show.js';
import { type OperatorDeps, withRegistration } from './with-registration.js';

/** `vestibule clients export` */
export const exportClients: CommandFactory = (cli) =>
  withExamples(
    withNotes(new Command(), [
      'Each client gets a YAML file of its own with its metadata and data, without credentials, and the folder a JSON Schema for editors.',
      'The files own the clients from then on: vestibule apply --owner with the same name changes them.',
      'A file is written before its client is adopted, so an interrupted export can be run again. Files with other content are not overwritten, and their clients are not adopted.',
      'Without --client it exports every client that has no owner or already has this one. Clients of federation entities and of client ID metadata documents, and open registrations that end unless they are used, are left out.',
      'Exits with 1 if a client was named that cannot be exported, or a file has other content.',
    ])
      .description('Writes clients to files, and lets the files own them.')
      .argument('<folder>', 'folder for the files; created if it does not exist')
      .addOption(ownerOption().makeOptionMandatory())
      .option('--client <client-id...>', 'export only these clients')
      .addOption(actorOption())
      .action((folder, { owner, client: ids, actor }) =>
        withRegistration(cli, async (deps) => {
          await makeFolder(folder);
          const rows = exported(deps, { folder, owner, operator: actor, ids });
          await cli.terminal.list(noting(cli, rows), COLUMNS, 'There are no such clients.');
        }),
      ),
    ['clients export clients --owner shop', 'write all clients that have no owner, and adopt them'],
    ['clients export clients --owner shop --client s6BhdRkqt3', 'write one client, and adopt it'],
  );

interface ExportRequest {
  readonly folder: string;
  readonly owner: ClientOwner;
  readonly operator: OperatorActor;
  readonly ids: readonly string[] | undefined;
}

interface ExportedClient {
  readonly client_id: string;
  /** Absent if the client was not exported. */
  readonly file?: string;
  readonly outcome: 'adopted' | 'owned' | 'problem';
  readonly problem?: string;
}

const COLUMNS = [
  { title: 'CLIENT ID', cell: ({ client_id }: ExportedClient) => client_id },
  { title: 'FILE', cell: ({ file }: ExportedClient) => file },
  { title: 'OUTCOME', cell: ({ outcome }: ExportedClient) => outcome },
  { title: 'PROBLEM', cell: ({ problem }: ExportedClient) => problem },
];

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw failed('The folder cannot be created.', error);
  });
  const schema = `${JSON.stringify(clientFileSchema(), undefined, 2)}\n`;
  await writeNewFile(join(folder, SCHEMA_FILE), schema);
}

async function* noting(cli: Cli, rows: AsyncIterable<ExportedClient>): AsyncGenerator<ExportedClient> {
  const progress = cli.terminal.progress('Exporting clients');
  let done = 0;
  for await (const row of rows) {
    if (row.outcome === 'problem') cli.exitWith(EXIT.failed);
    done += 1;
    progress.report(done);
    yield row;
  }
  progress.end();
}

async function* exported(deps: OperatorDeps, request: ExportRequest): AsyncGenerator<ExportedClient> {
  const { ids, owner } = request;
  const authority = { owner, adopts: true };
  if (ids !== undefined) {
    for (const id of ids) {
      const client = await requireClient(deps.clients, id);
      const refusal = ownershipRefusal(deps, client, authority);
      if (refusal === undefined) yield await exportOne(deps, client, request);
      else yield { client_id: id, outcome: 'problem', problem: refusal };
    }
    return;
  }
  for await (const page of deps.clients.list({ now: nowSeconds(deps.clock) }))
    for (const client of page)
      if (ownershipRefusal(deps, client, authority) === undefined)
        yield await exportOne(deps, client, request);
}

/** Writes the file of a client, and then adopts the client. */
async function exportOne(
  deps: OperatorDeps,
  found: Client,
  { folder, owner, operator }: ExportRequest,
): Promise<ExportedClient> {
  const { id: client_id } = found;
  const file = clientFileName(client_id);
  const isWritten = await writeNewFile(join(folder, file), clientFileText(found));
  if (!isWritten) return { client_id, outcome: 'problem', problem: `${file} exists with other content` };
  if (found.ownership !== undefined) return { client_id, file, outcome: 'owned' };
  if (await adoptClient(deps, found, { owner, operator })) return { client_id, file, outcome: 'adopted' };
  return {
    client_id,
    file,
    outcome: 'problem',
    problem: 'has changed during the export: remove its file, and export it again',
  };
}

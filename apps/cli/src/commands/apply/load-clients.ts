import { type DeclaredClient, readDeclaredClient } from '@vestibule/clients/files';
import { isJsonObject, type JsonValue } from '@vestibule/protocol/json';
import { misused } from '../../frame/command-failure.js';
import { findClientFiles, readClientFile } from './client-files.js';
import type { FileProblem } from './file-problem.js';
import { parseClientFile } from './parse-client-file.js';

/** A client with the file that declares it. */
export interface FiledClient {
  /** Path below the folder. */
  readonly file: string;
  readonly client: DeclaredClient;
}

/** The clients that a folder declares, and everything that is wrong with its files. */
export interface LoadedClients {
  /** Each identifier once, in the order of files. */
  readonly clients: ReadonlyMap<string, FiledClient>;
  readonly problems: readonly FileProblem[];
}

/** Maximum size of all files together, in bytes: they are held in memory. */
const MAX_BYTES = 67_108_864;

/**
 * Loads the clients of a folder.
 * @throws CommandFailure if the folder cannot be read or is too large
 */
export async function loadClients(folder: string): Promise<LoadedClients> {
  const { files, problems: found } = await findClientFiles(folder);
  const clients = new Map<string, FiledClient>();
  const problems: FileProblem[] = [...found];
  let characters = 0;
  for (const file of files) {
    const read = await readClientFile(file);
    const parsed = 'text' in read ? parseClientFile(file.name, read.text) : read;
    if ('text' in read) characters += read.text.length;
    if (characters > MAX_BYTES) throw misused(`The files are larger than ${MAX_BYTES} bytes together.`);
    if ('problem' in parsed) problems.push({ file: file.name, problem: parsed.problem });
    else problems.push(...addClients(clients, file.name, parsed.values));
  }
  return { clients, problems };
}

function addClients(
  clients: Map<string, FiledClient>,
  file: string,
  values: readonly JsonValue[],
): readonly FileProblem[] {
  return values.flatMap((value, index): readonly FileProblem[] => {
    const read = readDeclaredClient(value);
    if ('problems' in read) {
      const client = placeOf(value, index);
      return read.problems.map(({ member, problem }) => ({
        file,
        client,
        ...(member !== '' && { member }),
        problem,
      }));
    }
    const { client } = read;
    const earlier = clients.get(client.id);
    if (earlier !== undefined)
      return [{ file, client: client.id, member: 'client_id', problem: `is also in ${earlier.file}` }];
    clients.set(client.id, { file, client });
    return [];
  });
}

/** Names a client that cannot be read, by its identifier if it has one. */
function placeOf(value: JsonValue, index: number): string {
  const id = isJsonObject(value) && Object.hasOwn(value, 'client_id') ? value['client_id'] : undefined;
  return typeof id === 'string' && id !== '' && id.length <= 256 ? id : `clients[${index}]`;
}

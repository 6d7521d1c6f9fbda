import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseClientId } from '@vestibule/protocol';
import { onTestFinished } from 'vitest';
import type { startInstallation } from './installation.js';

/** A folder of client files, deleted after the test. */
export interface ClientFolder {
  /** The folder of the clients. */
  readonly path: string;
  /** A path beside the folder, for secrets. */
  readonly secrets: string;
  /** Writes a file below the folder. */
  write(name: string, content: string | Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  /** Reads the secrets that were handed over, in order. */
  readSecrets(): Promise<readonly { readonly client_id: string; readonly client_secret: string }[]>;
}

/** Makes a folder with files. */
export async function clientFolder(files: Readonly<Record<string, string>> = {}): Promise<ClientFolder> {
  const parent = await mkdtemp(join(tmpdir(), 'vestibule-files-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const path = join(parent, 'clients');
  const secrets = join(parent, 'secrets.ndjson');
  await mkdir(path);
  const write = async (name: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  };
  for (const [name, content] of Object.entries(files)) await write(name, content);
  return {
    path,
    secrets,
    write,
    remove: (name) => rm(join(path, name)),
    readSecrets: async () => {
      const lines = (await readFile(secrets, 'utf8')).split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line));
    },
  };
}

/** A client as YAML. */
export function clientYaml(id: string, name = id): string {
  return `client_id: ${id}\nclient_name: ${name}\nredirect_uris: [https://${id}.example.org/cb]\n`;
}

/** Finds the client that is stored under an identifier. */
export async function storedClient(
  { store }: Pick<Awaited<ReturnType<typeof startInstallation>>, 'store'>,
  id: string,
) {
  const clientId = parseClientId(id);
  return clientId && store.database.clients.find(clientId);
}

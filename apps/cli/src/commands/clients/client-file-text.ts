import { createHash, randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Client } from '@vestibule/clients';
import { orderMetadata } from '@vestibule/metadata';
import { stringify } from 'yaml';
import { failed } from '../../frame/command-failure.js';
import { synchronizeFolder } from '../../frame/synchronize-folder.js';

/** Name of the JSON Schema of clients in a folder of files. */
export const SCHEMA_FILE = 'client.schema.json';

/** File systems allow 255 bytes. */
const MAX_NAME_LENGTH = 200;

/** Returns a name for the file of a client, which is unique where names distinguish upper and lower case. */
export function clientFileName(id: string): string {
  const name = encodeURIComponent(id).replaceAll('*', '%2A').replace(/^\./, '%2E');
  if (name.length <= MAX_NAME_LENGTH) return `${name}.yaml`;
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 32);
  return `${name.slice(0, MAX_NAME_LENGTH - digest.length - 1)}-${digest}.yaml`;
}

/** Formats a client as a file, with every registered member and without credentials. */
export function clientFileText({ id, metadata, data }: Client): string {
  const members = { client_id: id, ...orderMetadata(metadata), ...(data !== undefined && { data }) };
  // Block scalars lose a space at the beginning of some texts.
  const options = { schema: 'core', lineWidth: 0, aliasDuplicateObjects: false, blockQuote: false } as const;
  const yaml = stringify(members, options);
  return `# yaml-language-server: $schema=${SCHEMA_FILE}\n${yaml}`;
}

/**
 * Writes a file that does not exist yet, whole or not at all. Returns false if one with other content exists.
 * @throws CommandFailure if it cannot be written
 */
export async function writeNewFile(path: string, text: string): Promise<boolean> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o644);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(temporary, path);
    await synchronizeFolder(dirname(path));
    return true;
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isThere) throw failed(`The file ${path} cannot be written.`, error);
    return (await readFile(path, 'utf8')) === text;
  } finally {
    await rm(temporary, { force: true });
  }
}

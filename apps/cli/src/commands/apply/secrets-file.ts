import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { basename, dirname, resolve, sep } from 'node:path';
import process from 'node:process';
import type { SecretDelivery } from '@vestibule/clients/files';
import { failed, misused } from '../../frame/command-failure.js';
import { synchronizeFolder } from '../../frame/synchronize-folder.js';

/** A file of secrets: a JSON object with `client_id` and `client_secret` per line. */
export interface SecretsFile {
  /**
   * Appends secrets that the file does not have yet. When it resolves, they are on disk.
   * @throws CommandFailure if they cannot be written; the file may have some of them
   */
  append(secrets: readonly SecretDelivery[]): Promise<void>;
  close(): Promise<void>;
}

/** Maximum size of a file that is continued, in bytes. */
const MAX_BYTES = 67_108_864;

/** How each line begins. */
const LINE_START = '{"client_id":';

const OTHERS = 0o077;
const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;

/**
 * Opens a file of secrets, or creates it with mode 0600. An incomplete last line, left by a process that was killed, is
 * removed: its secret is handed over again.
 * @param folder the folder of the clients, in which the file must not lie
 * @throws CommandFailure if it lies in the folder, others can read it, or it has other content
 */
export async function openSecretsFile(path: string, folder: string): Promise<SecretsFile> {
  const parent = await realpath(dirname(path)).catch((error: unknown) => {
    throw failed('The folder of the secrets file does not exist.', error);
  });
  const root = await realpath(folder);
  if (parent === root || parent.startsWith(root + sep))
    throw misused('The secrets file must not lie in the folder of the clients.');
  const file = await open(resolve(parent, basename(path)), FLAGS, 0o600).catch((error: unknown) => {
    throw failed('The secrets file cannot be opened for writing.', error);
  });
  try {
    const lines = new Set(await completeLines(file));
    await synchronizeFolder(parent);
    return {
      append: async (secrets) => {
        const added = secrets.map(lineOf).filter((line) => !lines.has(line));
        if (added.length === 0) return;
        await appendLines(file, added);
        for (const line of added) lines.add(line);
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function completeLines(file: FileHandle): Promise<readonly string[]> {
  const about = await file.stat();
  if (!about.isFile()) throw misused('The secrets file must be a regular file.');
  if ((about.mode & OTHERS) !== 0 || about.uid !== process.getuid?.())
    throw misused('Only you may have access to the secrets file: set its mode to 0600.');
  if (about.size > MAX_BYTES) throw misused(`The secrets file is larger than ${MAX_BYTES} bytes.`);
  const bytes = await file.readFile();
  const end = bytes.lastIndexOf('\n') + 1;
  const lines = bytes
    .toString('utf8', 0, end)
    .split('\n')
    .filter((line) => line !== '');
  const incomplete = bytes.toString('utf8', end);
  const isOurs = lines.every((line) => line.startsWith(LINE_START));
  if (!isOurs || !(incomplete.startsWith(LINE_START) || LINE_START.startsWith(incomplete)))
    throw misused('The secrets file has other content: use a new file.');
  if (incomplete !== '') await file.truncate(end);
  return lines;
}

function lineOf({ id, secret }: SecretDelivery): string {
  return JSON.stringify({ client_id: id, client_secret: secret });
}

async function appendLines(file: FileHandle, lines: readonly string[]): Promise<void> {
  try {
    await file.appendFile(lines.map((line) => `${line}\n`).join(''));
    await file.sync();
  } catch (error) {
    throw failed(
      'The secrets file cannot be written. No secret is lost: run apply again with space for the file.',
      error,
    );
  }
}

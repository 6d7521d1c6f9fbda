import type { Dirent } from 'node:fs';
import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { failed, misused } from '../../frame/command-failure.js';
import type { FileProblem } from './file-problem.js';

/** A file of clients in a folder. */
export interface ClientFile {
  /** Path below the folder, with slashes. */
  readonly name: string;
  /** Path without symbolic links. */
  readonly path: string;
}

/** What a folder contains. */
export interface ClientFolder {
  /** In the order of their names. */
  readonly files: readonly ClientFile[];
  readonly problems: readonly FileProblem[];
}

/** Maximum size of a file, in bytes. */
const MAX_FILE_BYTES = 1_048_576;

const MAX_FILES = 50_000;
const MAX_DEPTH = 8;

/** In any case, so that no file with clients is overlooked. Schemas for editors may lie beside the files. */
const CLIENT_FILE = /(?:\.ya?ml|(?<!\.schema)\.json)$/i;

/**
 * Finds the files of clients in a folder and its subfolders: `.yaml`, `.yml` and `.json`. Hidden files and folders and
 * `*.schema.json` are left out. Symbolic links to files are followed within the folder, as mounted Kubernetes volumes
 * need it, and refused otherwise.
 * @throws CommandFailure if the folder cannot be read, or has too many files
 */
export async function findClientFiles(folder: string): Promise<ClientFolder> {
  const files: ClientFile[] = [];
  const problems: FileProblem[] = [];
  const root = await realpath(folder).catch((error: unknown) => {
    throw failed('The folder cannot be read: there is no such folder.', error);
  });
  const link = async (name: string, path: string): Promise<void> => {
    const target = await linkedFile(root, path);
    if ('problem' in target) problems.push({ file: name, problem: target.problem });
    else if (CLIENT_FILE.test(name)) files.push({ name, path: target.path });
  };
  const examine = async (entry: Dirent, within: string, depth: number): Promise<void> => {
    const name = within === '' ? entry.name : `${within}/${entry.name}`;
    const path = join(root, name);
    if (entry.isDirectory()) return enter(name, depth + 1);
    if (entry.isSymbolicLink()) return link(name, path);
    if (!CLIENT_FILE.test(name)) return;
    if (entry.isFile()) files.push({ name, path });
    else problems.push({ file: name, problem: 'is not a regular file' });
  };
  const enter = async (name: string, depth: number): Promise<void> => {
    if (depth > MAX_DEPTH) {
      problems.push({ file: name, problem: `lies deeper than ${MAX_DEPTH} folders` });
      return;
    }
    const entries = await entriesOf(join(root, name));
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      await examine(entry, name, depth);
      if (files.length > MAX_FILES) throw misused(`The folder has more than ${MAX_FILES} files.`);
    }
  };
  await enter('', 0);
  return { files, problems };
}

async function entriesOf(path: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    throw failed('The folder cannot be read.', error);
  }
}

async function linkedFile(
  root: string,
  path: string,
): Promise<{ readonly path: string } | { readonly problem: string }> {
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined) return { problem: 'is a symbolic link to nothing' };
  if (!target.startsWith(root + sep)) return { problem: 'is a symbolic link out of the folder' };
  if (!(await stat(target)).isFile()) return { problem: 'is a symbolic link, but not to a file' };
  return { path: target };
}

/**
 * Reads a file as UTF-8, or describes why it cannot be read.
 * @returns the text, without a byte order mark
 */
export async function readClientFile({
  path,
}: ClientFile): Promise<{ readonly text: string } | { readonly problem: string }> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const about = await file.stat();
      if (!about.isFile()) return { problem: 'is not a regular file' };
      if (about.size > MAX_FILE_BYTES) return { problem: `is larger than ${MAX_FILE_BYTES} bytes` };
      const { buffer, bytesRead } = await file.read(Buffer.alloc(about.size), 0, about.size, 0);
      return decoded(buffer.subarray(0, bytesRead));
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { problem: 'cannot be read' };
    throw error;
  }
}

function decoded(bytes: Uint8Array): { readonly text: string } | { readonly problem: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { problem: 'is not UTF-8' };
  }
}

import { open } from 'node:fs/promises';

/** Makes sure that new files of a folder are found after a crash of the machine. */
export async function synchronizeFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ComposeService, mountsOf } from '../compose/compose-file.js';

/** What stands for a container's addresses and files on this machine. */
export interface LocalPlaces {
  /** `name:port` of a service, or the address of a container, and where that is here. */
  readonly addresses: ReadonlyMap<string, string>;
  /** A folder with what the service has mounted, as if it were its root. */
  readonly root: string;
  readonly mounts: readonly string[];
}

/**
 * Makes the folder that stands for the root of a container: each of its volumes, files of docker/ and folders in memory
 * leads to a folder of this machine.
 * @param sources the folder of each volume, and of each path from docker/
 * @returns the places that are mounted
 */
export async function makeRoot(
  service: ComposeService & { readonly tmpfs?: unknown },
  root: string,
  sources: (source: string) => string,
): Promise<readonly string[]> {
  const mounts = mountsOf(service);
  for (const { source, target } of mounts) {
    await mkdir(dirname(join(root, target)), { recursive: true });
    await mkdir(sources(source), { recursive: true });
    await symlink(sources(source), join(root, target));
  }
  await mkdir(join(root, 'tmp'), { recursive: true });
  return [...mounts.map(({ target }) => target), '/tmp'];
}

/** A word or setting of a container as it has to be on this machine. */
export function localise(text: string, { addresses, root, mounts }: LocalPlaces): string {
  const isPlace = mounts.some((mount) => isBelow(text, mount) || isBelow(mount, text));
  if (text.startsWith('/') && isPlace) return join(root, text);
  let local = text;
  for (const [there, here] of addresses) local = local.replaceAll(whole(there), here);
  return local;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The text where no longer name or number has it as a part. */
function whole(text: string): RegExp {
  return new RegExp(`(?<![\\w.-])${text.replaceAll('.', '\\.')}(?![\\w.-])`, 'g');
}

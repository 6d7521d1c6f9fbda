import type { SpawnOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LocalServiceError } from './local-service-error.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { PLAIN_ENVIRONMENT, runCommand, works } from './run-command.js';

/** The account of PostgreSQL's programs, which refuse to run as root. */
export interface PostgresAccount {
  readonly binaries: PostgresBinaries;
  /** The command prefix that switches to it. */
  readonly prefix: readonly string[];
  readonly spawnOptions: SpawnOptions;
  /** The folder of the cluster and the log: the data folder, or another folder that the account can enter. */
  readonly folder: string;
  /** Changes the owner of a file or folder to the account. */
  adopt(path: string): Promise<void>;
}

/** A user and its main group. */
interface UserAndGroup {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The folder of program copies when the account cannot read the originals, and of its data when it cannot enter the
 * data folder; only root can write there.
 */
const SHARED_FOLDER = '/var/lib/vestibule';
const PLACE_NAME_LENGTH = 32;

/**
 * Root inside a user namespace that looks like an ordinary user: it keeps root's access to root's files, so the data
 * may be below a home folder that is closed to other accounts.
 */
const NAMESPACE = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'] as const;

/**
 * Chooses the account of PostgreSQL for a data folder: the current user; for root a user namespace, or, where
 * namespaces are refused, an unprivileged account with a folder that it can enter. Existing data is served by its
 * owner, wherever it is.
 * @throws LocalServiceError when no account can run it
 */
export async function choosePostgresAccount(
  binaries: PostgresBinaries,
  dataFolder: string,
  clusterOf: (folder: string) => string,
): Promise<PostgresAccount> {
  if (process.getuid?.() !== 0) return account(binaries, dataFolder, []);
  const owner = await ownerOf(clusterOf(dataFolder));
  if (owner !== undefined && owner.uid !== 0) return unprivileged(binaries, dataFolder, [owner]);
  const place = withoutNamespaces(dataFolder);
  const placeOwner = owner === undefined ? await ownerOf(clusterOf(place)) : undefined;
  if (placeOwner !== undefined) return unprivileged(binaries, place, [placeOwner]);
  if (await works(NAMESPACE)) return account(binaries, dataFolder, NAMESPACE);
  if (owner !== undefined) {
    throw new LocalServiceError(
      `PostgreSQL refuses to run as root, user namespaces are not available, and ${clusterOf(dataFolder)} belongs to root: give it to an ordinary user with chown.`,
    );
  }
  await makeSharedFolder();
  await mkdir(place, { recursive: true, mode: 0o700 });
  return unprivileged(binaries, place, await knownAccounts());
}

/** The folder of the data when root may not use user namespaces; constant for a data folder. */
export function withoutNamespaces(dataFolder: string): string {
  const name = createHash('sha256').update(dataFolder).digest('hex').slice(0, PLACE_NAME_LENGTH);
  return join(SHARED_FOLDER, name);
}

function account(binaries: PostgresBinaries, folder: string, prefix: readonly string[]): PostgresAccount {
  const spawnOptions = { cwd: '/', env: PLAIN_ENVIRONMENT };
  return { binaries, prefix, spawnOptions, folder, adopt: async () => {} };
}

async function unprivileged(
  binaries: PostgresBinaries,
  folder: string,
  candidates: readonly UserAndGroup[],
): Promise<PostgresAccount> {
  for (const candidate of candidates) {
    if (!(await canEnter(candidate, dirname(folder)))) continue;
    await chown(folder, candidate.uid, candidate.gid);
    const spawnOptions = { cwd: '/', env: PLAIN_ENVIRONMENT, ...candidate };
    const reachable = (await canEnter(candidate, join(binaries.folder, 'bin')))
      ? binaries
      : await copyBinaries(binaries);
    const adopt = (path: string) => chown(path, candidate.uid, candidate.gid);
    return { binaries: reachable, prefix: [], spawnOptions, folder, adopt };
  }
  throw new LocalServiceError(
    `PostgreSQL refuses to run as root, user namespaces are not available, and no unprivileged account can enter ${dirname(folder)}: run this as an ordinary user.`,
  );
}

/** Readable by all whatever the umask; an existing folder is unchanged. */
async function makeSharedFolder(): Promise<void> {
  const made = await mkdir(SHARED_FOLDER, { recursive: true, mode: 0o755 });
  if (made !== undefined) await chmod(SHARED_FOLDER, 0o755);
}

async function canEnter(candidate: UserAndGroup, folder: string): Promise<boolean> {
  const options = { cwd: '/', env: PLAIN_ENVIRONMENT, ...candidate };
  const { exitCode } = await runCommand('test', ['-x', folder], options);
  return exitCode === 0;
}

async function copyBinaries(binaries: PostgresBinaries): Promise<PostgresBinaries> {
  const folder = join(SHARED_FOLDER, `postgres-${binaries.version}`);
  if ((await ownerOf(folder)) !== undefined) return { ...binaries, folder };
  const unfinished = `${folder}.${process.pid}`;
  await makeSharedFolder();
  await cp(binaries.folder, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    await rename(unfinished, folder);
  } catch {
    // Another process finished the same copy first.
    await rm(unfinished, { recursive: true, force: true });
  }
  return { ...binaries, folder };
}

async function ownerOf(path: string): Promise<UserAndGroup | undefined> {
  try {
    const { uid, gid } = await stat(path);
    return { uid, gid };
  } catch {
    return undefined;
  }
}

/** Accounts that usually exist for this purpose, best first. */
async function knownAccounts(): Promise<readonly UserAndGroup[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  return ['postgres', 'node', 'nobody'].flatMap((wanted) => {
    const line = lines.find(([name]) => name === wanted);
    const [uid, gid] = [Number(line?.[2]), Number(line?.[3])];
    return uid > 0 && gid > 0 ? [{ uid, gid }] : [];
  });
}

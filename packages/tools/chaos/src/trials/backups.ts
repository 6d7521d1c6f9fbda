import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Closers, startPostgres } from '@vestibule/local-services';
import { backUp } from '../processes/backup.js';
import { startDebianPostgres } from '../processes/debian-postgres.js';
import { type Installation, openInstallation } from '../test-environment/installation.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';

/** A way to back up a database. */
export interface Backup {
  /** The id of its trial. */
  readonly id: string;
  readonly what: string;
  open(testEnvironment: TestEnvironment, toEnd: Closers): Promise<Original>;
}

/** What to back up. */
export interface Original {
  readonly installation: Installation;
  readonly url: string;
  /** Backs it up while it is in use and restores it elsewhere. @returns the address of the restored database */
  restore(): Promise<string>;
}

const RESTORED = 'restored';

/** A copy of PostgreSQL's files. */
const PHYSICAL: Backup = {
  id: 'restored',
  what: 'a copy of the files of PostgreSQL',
  open: async ({ installation, postgres }, toEnd) => ({
    installation,
    url: postgres.url(installation.database),
    restore: async () => {
      const folder = await backUp(postgres, installation.pool, toEnd);
      const restored = await startPostgres({ dataFolder: folder });
      toEnd.add(restored.stop);
      return restored.url(installation.database);
    },
  }),
};

/** A dump by `pg_dump`. */
const LOGICAL: Backup = {
  id: 'restored-dump',
  what: 'a dump of PostgreSQL (pg_dump, pg_restore)',
  open: async ({ log }, toEnd) => {
    const postgres = await startDebianPostgres(toEnd, log);
    const installation = await openInstallation(postgres, toEnd);
    const file = join(tmpdir(), `vestibule-${randomBytes(8).toString('hex')}.dump`);
    toEnd.add(() => rm(file, { force: true }));
    return {
      installation,
      url: postgres.url(installation.database),
      restore: async () => {
        await postgres.dump(installation.database, file);
        await postgres.createDatabase(RESTORED);
        await postgres.restore(file, RESTORED);
        return postgres.url(RESTORED);
      },
    };
  },
};

/** Every kind of backup. */
export const BACKUPS: readonly Backup[] = [PHYSICAL, LOGICAL];

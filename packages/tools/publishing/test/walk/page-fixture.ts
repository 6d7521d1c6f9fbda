import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@vestibule/local-services';
import pg from 'pg';
import { ROOT } from '../../src/root.js';
import { type PageWalk, type PageWalkOptions, walkPage } from './walk-page.js';

/** A guide that is walked in a folder outside the repository, with free ports in place of its own. */
export interface PageFixture {
  readonly folder: string;
  readonly walk: PageWalk;
  /** The address that the page gives as `http://localhost:<port>`. */
  address(port: string): string;
  /** A file of the folder. */
  read(name: string): string;
  /** A file of the data folder of the services. */
  dataFile(name: string): string;
  /** Runs a statement on the database of the services. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Ends everything and removes the folder. */
  close(): Promise<void>;
}

/**
 * Opens the fixture of a guide.
 * @param ports the ports of the page
 * @param services the port of the services among them
 * @param options variables beyond those of the services, other texts that are different here, and how long a command may
 * take to print
 */
export async function openPageFixture(
  guide: string,
  ports: readonly string[],
  services: string,
  options: Partial<Pick<PageWalkOptions, 'environment' | 'replaced' | 'printTimeoutMs'>> = {},
): Promise<PageFixture> {
  const replaced = new Map([['~/vestibule', ROOT], ...(options.replaced ?? [])]);
  for (const port of ports) replaced.set(port, String(await freePort()));
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-join-'));
  const environment = {
    DATA_DIR: join(folder, '.vestibule'),
    PORT: replaced.get(services),
    MANAGEMENT_PORT: '0',
    ...options.environment,
  };
  const page = readFileSync(join(ROOT, 'packages', 'guides', guide), 'utf8');
  const walk = walkPage({ ...options, page, folder, environment, replaced });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim();
  const dataFile = (name: string) => read(join('.vestibule', name));
  return {
    folder,
    walk,
    address: (port) => `http://localhost:${replaced.get(port)}`,
    read,
    dataFile,
    query: async (text) => {
      const client = new pg.Client(dataFile('database-url'));
      await client.connect();
      try {
        return (await client.query(text)).rows;
      } finally {
        await client.end();
      }
    },
    close: async () => {
      await walk.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

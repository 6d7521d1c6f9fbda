import type { PostgresServer } from '@vestibule/local-services';
import { expect, it } from 'vitest';
import { embeddedDatabase } from '../src/embedded-database.js';

it('has an address with a connection timeout of ten seconds', async () => {
  const made: string[] = [];
  const server: Pick<PostgresServer, 'createDatabase' | 'url'> = {
    createDatabase: async (name) => void made.push(name),
    url: (name) => `postgresql://user:secret@127.0.0.1:5432/${name}`,
  };
  const url = new URL(await embeddedDatabase(server));
  expect([url.pathname, url.search]).toEqual(['/vestibule', '?connect_timeout=10']);
  expect(made).toEqual(['vestibule']);
});

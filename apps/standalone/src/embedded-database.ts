import type { PostgresServer } from '@vestibule/local-services';

const NAME = 'vestibule';
/** In seconds: a machine that starts a server and its clients at once may be slow to connect them. */
const CONNECT_TIMEOUT = '10';

/** Makes the database of an embedded server where it is not there yet. @returns its address, a secret */
export async function embeddedDatabase(
  server: Pick<PostgresServer, 'createDatabase' | 'url'>,
): Promise<string> {
  await server.createDatabase(NAME);
  const url = new URL(server.url(NAME));
  url.searchParams.set('connect_timeout', CONNECT_TIMEOUT);
  return url.href;
}

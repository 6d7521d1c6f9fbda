import type { PostgresServer } from '@vestibule/local-services';

const NAME = 'vestibule';
/** In seconds: on a machine that starts a server and its clients at the same time, connecting may be slow. */
const CONNECT_TIMEOUT = '10';

/**
 * Creates the database of an embedded server if it does not exist.
 * @returns its address, a secret
 */
export async function embeddedDatabase(
  server: Pick<PostgresServer, 'createDatabase' | 'url'>,
): Promise<string> {
  await server.createDatabase(NAME);
  const url = new URL(server.url(NAME));
  url.searchParams.set('connect_timeout', CONNECT_TIMEOUT);
  return url.href;
}

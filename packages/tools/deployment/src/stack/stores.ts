import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, installRedisServer, runCommand, startPostgres } from '@vestibule/local-services';
import pg from 'pg';
import { environmentOf } from '../compose/compose-file.js';
import type { Installation } from './installation.js';
import { localise } from './local-places.js';
import { startLocalProcess } from './local-process.js';
import { placesOf, programOf, serviceOf } from './program-of.js';

/**
 * Starts PostgreSQL and Redis as the compose file has them, for the users that its secrets are for.
 * @param makeSecrets called when the addresses of both are known
 */
export async function startStores(
  installation: Installation,
  makeSecrets: () => Promise<void>,
): Promise<void> {
  const { folder, places, toEnd, say } = installation;
  await installRedisServer(say);
  const postgres = await startPostgres({ dataFolder: join(folder, 'postgres'), durable: false });
  toEnd.add(postgres.stop);
  const redisPort = await freePort();
  places.addresses.set('postgres:5432', `127.0.0.1:${postgres.port}`);
  places.addresses.set('redis:6379', `127.0.0.1:${redisPort}`);
  await makeSecrets();
  await createOwner(installation, postgres.url('postgres'));
  await startRedis(installation, redisPort);
}

/** What the image of PostgreSQL makes at its first start. */
async function createOwner(installation: Installation, url: string): Promise<void> {
  const places = await placesOf(installation, 'postgres', 'postgres');
  const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD_FILE } = environmentOf(
    serviceOf(installation, 'postgres'),
  );
  const password = (await readFile(localise(POSTGRES_PASSWORD_FILE ?? '', places), 'utf8')).trim();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const owner = client.escapeIdentifier(POSTGRES_USER ?? '');
    await client.query(`CREATE ROLE ${owner} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(POSTGRES_DB ?? '')} OWNER ${owner}`);
  } finally {
    await client.end();
  }
}

async function startRedis(installation: Installation, port: number): Promise<void> {
  const { logFolder, toEnd } = installation;
  const program = programOf(installation, 'redis', await placesOf(installation, 'redis', 'redis'));
  const running = await startLocalProcess({
    ...program,
    name: 'redis',
    words: [...program.words, '--port', String(port), '--bind', '127.0.0.1'],
    logFile: join(logFolder, 'redis'),
  });
  toEnd.add(running.stop);
  const [, ask = '', ...words] = serviceOf(installation, 'redis').healthcheck?.test ?? [];
  await running.until(async () => {
    const { output } = await runCommand(ask, ['-p', String(port), ...words]);
    return output.trim() === 'PONG';
  });
}

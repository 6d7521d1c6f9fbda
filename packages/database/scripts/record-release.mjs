// Records what this version needs of the schema: pnpm --filter @vestibule/database record
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@vestibule/local-services';
import { migrate } from '../dist/migrations/migrate.js';
import { recordRelease } from '../dist/migrations/release-record.js';

const folder = new URL('..', import.meta.url);
const { version } = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'));
const dataFolder = await mkdtemp(join(tmpdir(), 'vestibule-record-'));
const server = await startPostgres({ dataFolder, durable: false });
try {
  const url = server.url('postgres');
  await migrate(url);
  const record = await recordRelease(url, version);
  await writeFile(new URL('release-record.json', folder), `${JSON.stringify(record, null, 2)}\n`);
} finally {
  await server.stop();
  await rm(dataFolder, { recursive: true, force: true });
}

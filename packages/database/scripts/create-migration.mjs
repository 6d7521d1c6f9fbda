// Writes a new migration: pnpm --filter @vestibule/database migration <name>
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@vestibule/local-services';
import { draftMigration } from '../dist/migrations/draft-migration.js';

const name = process.argv[2];
if (name === undefined || !/^[a-z0-9_]+$/.test(name)) {
  process.stderr.write('Name the migration in lower-case letters, digits and underscores.\n');
  process.exit(1);
}

const dataFolder = await mkdtemp(join(tmpdir(), 'vestibule-migration-'));
const server = await startPostgres({ dataFolder, durable: false });
try {
  const file = await draftMigration(server.url('postgres'), name, new Date());
  process.stdout.write(file === undefined ? 'The schema has not changed.\n' : `${file}\n`);
} finally {
  await server.stop();
  await rm(dataFolder, { recursive: true, force: true });
}

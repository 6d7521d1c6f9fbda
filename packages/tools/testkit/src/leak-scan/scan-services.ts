import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Leak, scanFiles } from './scan-files.js';
import { type NotedSecret, readNotes } from './secret-notes.js';

/** The files of a run's services. */
export interface ServiceFiles {
  /** The notes of the run's secrets. */
  readonly secretsFile: string;
  /** The data directory of the stopped PostgreSQL: tables, indexes and the write-ahead log. */
  readonly postgresDirectory: string;
  /** A dump of Redis, uncompressed. */
  readonly redisDump: string;
}

/** A text that is in PostgreSQL and in Redis, so that a scan that does not find it is invalid. */
export function controlText(): string {
  return `control${randomBytes(16).toString('hex')}`;
}

/** A secret of the run is in clear on the disk. */
export class LeakedSecretsError extends Error {
  override readonly name = 'LeakedSecretsError';
}

/**
 * Searches all files of a run's services for every secret that a test noted.
 * @throws LeakedSecretsError naming kind, test and file of each leak, never the secret; also when the control is not
 *   found in both services
 */
export function requireNoLeaks(files: ServiceFiles, control: string): void {
  appendFileSync(files.secretsFile, '');
  const notes = [...readNotes(files.secretsFile), { kind: 'control', test: '', secret: control }];
  const { postgresDirectory, redisDump } = files;
  const postgres = scanFiles(notes, [postgresDirectory, resolve(postgresDirectory, '../../postgres.log')]);
  const redis = scanFiles(notes, [redisDump]);
  for (const [name, leaks] of Object.entries({ Postgres: postgres, Redis: redis }))
    if (!leaks.some(({ note }) => isControl(note)))
      throw new LeakedSecretsError(`the scan did not look at what ${name} holds`);
  const leaks = [...postgres, ...redis].filter(({ note }) => !isControl(note));
  if (leaks.length > 0) throw new LeakedSecretsError(reportOf(leaks));
}

function isControl({ kind }: NotedSecret): boolean {
  return kind === 'control';
}

function reportOf(leaks: readonly Leak[]): string {
  const lines = leaks.map(({ note, file }) => `  ${note.kind} of "${note.test}" in ${file}`);
  return ['secrets stand in clear:', ...new Set(lines)].join('\n');
}

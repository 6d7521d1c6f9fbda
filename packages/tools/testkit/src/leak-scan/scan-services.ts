import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Leak, scanFiles } from './scan-files.js';
import { type NotedSecret, readNotes } from './secret-notes.js';

/** What the services of a run left on the disk. */
export interface ServiceFiles {
  /** The notes of the run's secrets. */
  readonly secretsFile: string;
  /** The data directory of Postgres, which has stopped: tables, indexes and the log of changes. */
  readonly postgresDirectory: string;
  /** Everything that Redis held, uncompressed. */
  readonly redisDump: string;
}

/** A text that stands in Postgres and in Redis, so that a scan which does not find it there is no scan. */
export function controlText(): string {
  return `control${randomBytes(16).toString('hex')}`;
}

/** A secret of the run that stands in clear where whoever reads the disk would find it. */
export class LeakedSecretsError extends Error {
  override readonly name = 'LeakedSecretsError';
}

/**
 * Looks through everything that the services of a run left for every secret that a test noted.
 * @throws LeakedSecretsError naming kind, test and file of each that is found, and never the secret; also when the
 * control is not found in both services
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

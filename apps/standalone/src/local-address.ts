import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '@vestibule/service/settings';

/** Records the base address of the services in the data folder, for command line tools. */
export function recordAddress(folder: string, baseUrl: string): void {
  record(addressFile(folder), baseUrl);
}

/**
 * Records the address of the embedded database, a secret, for an authorization server in another process. The server
 * has another port after each start. Without an address, deletes the one of an earlier start.
 */
export function recordDatabase(folder: string, url: string | undefined): void {
  const file = join(folder, 'database-url');
  if (url === undefined) forget(file);
  else record(file, url);
}

function forget(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // In a read-only folder it stays.
  }
}

/** Writes a line that only this user can read. */
function record(file: string, line: string): void {
  // Written to a temporary file first, so that readers never see a part of it.
  const draft = `${file}.${process.pid}.new`;
  try {
    writeFileSync(draft, `${line}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // The services run without it in a read-only folder; other programs then need the address.
  }
}

/** The settings with that address: none if `PORT` or `BASE_URL` is given, or if none is recorded. */
export function recordedAddress(folder: string, { PORT, BASE_URL }: Environment): Environment {
  if (PORT !== undefined || BASE_URL !== undefined) return {};
  try {
    return { BASE_URL: readFileSync(addressFile(folder), 'utf8').trimEnd() };
  } catch {
    return {};
  }
}

function addressFile(folder: string): string {
  return join(folder, 'base-url');
}

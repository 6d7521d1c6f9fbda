import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '@vestibule/service/settings';

/** Records the base address of the services in the data folder, for command line tools. */
export function recordAddress(folder: string, baseUrl: string): void {
  // Written to a temporary file first, so that readers never see a part of it.
  const draft = `${addressFile(folder)}.${process.pid}.new`;
  try {
    writeFileSync(draft, `${baseUrl}\n`);
    renameSync(draft, addressFile(folder));
  } catch {
    // The services run without it in a read-only folder; commands then need the address.
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

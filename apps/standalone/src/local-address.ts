import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '@vestibule/service-kit/settings';

/** Notes in the data folder under which base address the services run, for commands beside them. */
export function noteAddress(folder: string, baseUrl: string): void {
  // Written aside first: whoever reads it meanwhile finds it whole.
  const draft = `${addressFile(folder)}.${process.pid}.new`;
  try {
    writeFileSync(draft, `${baseUrl}\n`);
    renameSync(draft, addressFile(folder));
  } catch {
    // The services run without it, in a folder that can only be read: commands are then given the address.
  }
}

/** The settings that name that address: none where `PORT` or `BASE_URL` is given, or where none is noted. */
export function notedAddress(folder: string, { PORT, BASE_URL }: Environment): Environment {
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

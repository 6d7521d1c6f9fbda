import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Installs a package of Debian where this process is root and apt is there; tries, and does not fail. */
export async function installPackage(name: string, log: (sentence: string) => void): Promise<void> {
  if (process.getuid?.() !== 0) return;
  log(`Installing ${name} with apt-get.`);
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' };
  const args = ['install', '-y', '--no-install-recommends', name];
  await promisify(execFile)('apt-get', args, { env }).catch(() => undefined);
}

import { findProgram, runCommand } from './run-command.js';

/**
 * The path of the load generator wrk; installs Debian's package where this process is root and apt is available.
 * `undefined` when there is none: load then comes from this process, which can send less.
 */
export async function findWrk(log: (sentence: string) => void): Promise<string | undefined> {
  const present = await findProgram('wrk');
  if (present !== undefined) return present;
  if (process.getuid?.() !== 0 || (await findProgram('apt-get')) === undefined) return undefined;
  log('Installing wrk with apt-get.');
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand('apt-get', ['update'], undefined, quiet);
  await runCommand('apt-get', ['install', '-y', '--no-install-recommends', 'wrk'], undefined, quiet);
  return findProgram('wrk');
}

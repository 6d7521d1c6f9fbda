import { access } from 'node:fs/promises';
import { installDebianPackage } from './debian-package.js';
import { LocalServiceError } from './local-service-error.js';
import { runCommand } from './run-command.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_PROGRAM = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const MISSING =
  'There is no Chromium on PATH: install one (Debian: apt-get install chromium), and run the command again.';

/**
 * The path of Chromium; installs Debian's package where it is missing, this process is root and apt is available.
 * @throws LocalServiceError when it is missing and cannot be installed
 */
export async function chromiumProgram(log: (sentence: string) => void): Promise<string> {
  const found = await installedChromium();
  if (found !== undefined) return found;
  await installDebianPackage({ name: 'chromium', missing: MISSING, log });
  const installed = await installedChromium();
  if (installed === undefined) throw new LocalServiceError(MISSING);
  return installed;
}

/** The path of Chromium; `undefined` if it is not installed. */
export async function installedChromium(): Promise<string | undefined> {
  const lookup = NAMES.map((name) => `command -v ${name}`).join(' || ');
  const { exitCode, output } = await runCommand('/bin/sh', ['-c', lookup]);
  if (exitCode === 0) return output.trim();
  return access(MAC_PROGRAM).then(
    () => MAC_PROGRAM,
    () => undefined,
  );
}

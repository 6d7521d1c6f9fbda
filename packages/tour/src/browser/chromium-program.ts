import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';
import { TourError } from '../tour-error.js';

const run = promisify(execFile);

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_PROGRAM = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const MISSING =
  'There is no Chromium on PATH: install one (Debian: apt-get install chromium), and take the tour again.';

/**
 * The path of a Chromium, installing Debian's package where there is none, this process is root and apt is there.
 * @throws TourError when there is none and none can be installed
 */
export async function chromiumProgram(say: (sentence: string) => void): Promise<string> {
  const found = await findChromium();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && (await onPath(['apt-get'])) !== undefined) await install(say);
  const installed = await findChromium();
  if (installed === undefined) throw new TourError(MISSING);
  return installed;
}

async function install(say: (sentence: string) => void): Promise<void> {
  say('Installing chromium with apt-get.');
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', ['update'], { env });
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { env });
  } catch (cause) {
    throw new TourError(MISSING, { cause });
  }
}

async function findChromium(): Promise<string | undefined> {
  const mac = await access(MAC_PROGRAM).then(
    () => MAC_PROGRAM,
    () => undefined,
  );
  return (await onPath(NAMES)) ?? mac;
}

/** The first of these programs that there is. */
async function onPath(names: readonly string[]): Promise<string | undefined> {
  const lookUp = names.map((name) => `command -v ${name}`).join(' || ');
  return run('/bin/sh', ['-c', lookUp]).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}

import { access, rm, writeFile } from 'node:fs/promises';
import { LocalServiceError } from './local-service-error.js';
import { findRedisServer, REDIS_MISSING } from './redis-server.js';
import { PLAIN_ENVIRONMENT, runCommand } from './run-command.js';

/** Debian's packages ask this script whether they may start their services; 101 means no. */
const SERVICE_POLICY = '/usr/sbin/policy-rc.d';
const OUTPUT_TAIL = 500;

/**
 * Makes sure that a Redis server program is on PATH, installing Debian's package where this process is root and
 * apt is there. No service of the system is started by it.
 * @throws LocalServiceError when there is none and none can be installed.
 */
export async function installRedisServer(log: (sentence: string) => void = () => undefined): Promise<void> {
  if ((await findRedisServer()) !== undefined) return;
  const apt = await runCommand('/bin/sh', ['-c', 'command -v apt-get']);
  if (process.getuid?.() !== 0 || apt.exitCode !== 0) throw new LocalServiceError(REDIS_MISSING);
  log('Installing redis-server with apt-get.');
  await withoutStartingServices(async () => {
    await aptGet(['update']);
    await aptGet(['install', '-y', '--no-install-recommends', 'redis-server']);
  });
  if ((await findRedisServer()) === undefined) throw new LocalServiceError(REDIS_MISSING);
}

async function aptGet(args: readonly string[]): Promise<void> {
  const env = { ...PLAIN_ENVIRONMENT, DEBIAN_FRONTEND: 'noninteractive' };
  const { exitCode, output } = await runCommand('apt-get', args, { env });
  if (exitCode !== 0) {
    throw new LocalServiceError(
      `${REDIS_MISSING} apt-get ${args[0]} failed: ${output.trim().slice(-OUTPUT_TAIL)}`,
    );
  }
}

async function withoutStartingServices(install: () => Promise<void>): Promise<void> {
  const own = !(await exists(SERVICE_POLICY));
  if (own) await writeFile(SERVICE_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await install();
    // Where systemd runs, the package also asks to be started with the machine.
    if (await exists('/run/systemd/system'))
      await runCommand('systemctl', ['disable', '--now', 'redis-server']);
  } finally {
    if (own) await rm(SERVICE_POLICY, { force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

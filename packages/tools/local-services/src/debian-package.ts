import { spawn } from 'node:child_process';
import { access, rm, writeFile } from 'node:fs/promises';
import { LocalServiceError } from './local-service-error.js';
import { PLAIN_ENVIRONMENT, runCommand } from './run-command.js';

/** A program and its package in Debian and Ubuntu. */
export interface DebianPackage {
  readonly name: string;
  /** The message when it cannot be installed. */
  readonly missing: string;
  readonly log: (sentence: string) => void;
}

/** Debian's packages run this script to decide whether to start their services; 101 means no. */
const SERVICE_POLICY = '/usr/sbin/policy-rc.d';
/** apt-get locks files in this folder, never the folder itself. */
const INSTALLATION_LOCK = '/var/lib/dpkg';
const OUTPUT_TAIL = 500;

/**
 * Installs a package of Debian where this process is root and apt is available, without starting a system service.
 * @throws LocalServiceError when it cannot be installed
 */
export async function installDebianPackage({ name, missing, log }: DebianPackage): Promise<void> {
  const apt = await runCommand('/bin/sh', ['-c', 'command -v apt-get']);
  if (process.getuid?.() !== 0 || apt.exitCode !== 0) throw new LocalServiceError(missing);
  log(`Installing ${name} with apt-get.`);
  await oneAtATime(() =>
    withoutStartingServices(name, async () => {
      await aptGet(['update'], missing);
      await aptGet(['install', '-y', '--no-install-recommends', name], missing);
    }),
  );
}

/** Serializes parallel installations: apt-get itself fails when another one is running. */
async function oneAtATime(install: () => Promise<void>): Promise<void> {
  const lock = spawn('flock', [INSTALLATION_LOCK, 'sh', '-c', 'echo held; cat'], {
    env: PLAIN_ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  lock.stdin.on('error', () => undefined);
  await new Promise((resolve) => {
    lock.stdout.once('data', resolve);
    // Without flock there is no waiting.
    lock.once('error', resolve).once('close', resolve);
  });
  try {
    await install();
  } finally {
    lock.stdin.end();
  }
}

async function aptGet(args: readonly string[], missing: string): Promise<void> {
  const env = { ...PLAIN_ENVIRONMENT, DEBIAN_FRONTEND: 'noninteractive' };
  const { exitCode, output } = await runCommand('apt-get', args, { env });
  if (exitCode !== 0)
    throw new LocalServiceError(`${missing} apt-get ${args[0]} failed: ${output.trim().slice(-OUTPUT_TAIL)}`);
}

async function withoutStartingServices(service: string, install: () => Promise<void>): Promise<void> {
  const own = !(await exists(SERVICE_POLICY));
  if (own) await writeFile(SERVICE_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await install();
    // With systemd, the package would also enable its service.
    if (await exists('/run/systemd/system')) await runCommand('systemctl', ['disable', '--now', service]);
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

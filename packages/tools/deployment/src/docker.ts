import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';
import { DeploymentError } from './deployment-error.js';

const execute = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const ERROR_TAIL = 2_000;

/**
 * Runs the Docker client and returns its standard output.
 * @param variables environment variables besides those of this process, for `--env NAME`
 * @throws DeploymentError when it fails; the message contains the end of its output
 */
export async function docker(
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { ...process.env, DOCKER_BUILDKIT: '1', ...variables };
  try {
    return (await execute('docker', words, { env, maxBuffer: MAX_OUTPUT_BYTES })).stdout.trim();
  } catch (cause) {
    const printed = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : '';
    const reason = printed.trim().slice(-ERROR_TAIL) || String(cause);
    throw new DeploymentError(`docker ${words[0]} failed: ${reason}`, { cause });
  }
}

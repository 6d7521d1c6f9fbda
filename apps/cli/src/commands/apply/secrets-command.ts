import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { SecretDelivery } from '@vestibule/clients/files';
import type { Environment } from '@vestibule/service/settings';
import { failed } from '../../frame/command-failure.js';

const TIMEOUT_MS = 60_000;

/**
 * Hands a secret to a shell command of the user, as a line of JSON on its standard input. Its standard output, which may
 * repeat the secret, is dropped. Its standard error is that of this process.
 * @throws CommandFailure unless it exits with 0 within a minute
 */
export async function runSecretsCommand(
  command: string,
  { id, secret }: SecretDelivery,
  environment: Environment,
): Promise<void> {
  const child = spawn('/bin/sh', ['-c', command], {
    env: { ...environment },
    stdio: ['pipe', 'ignore', 'inherit'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  // A command that ends without reading breaks the pipe; its exit code counts.
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${JSON.stringify({ client_id: id, client_secret: secret })}\n`);
  const [code]: unknown[] = await once(child, 'close').catch((error: unknown) => {
    throw failed('The secrets command cannot be started.', error);
  });
  if (code !== 0)
    throw failed(
      `The secrets command failed for the client ${id}. Its secret is not lost: run apply again to hand it over.`,
    );
}

import type { SecretDelivery } from '@vestibule/clients/files';
import type { Environment } from '@vestibule/service/settings';
import { runSecretsCommand } from './secrets-command.js';
import { openSecretsFile } from './secrets-file.js';

/** Where generated secrets go. */
export interface SecretOutlet {
  /** Number of secrets that are handed over, and recorded as such, together. */
  readonly atOnce: number;
  /**
   * Hands secrets over. When it resolves, the receiver has all of them. A secret that the receiver has already is not
   * handed over again if the receiver is a file.
   * @throws CommandFailure if the receiver does not take them; it may have some of them
   */
  deliver(secrets: readonly SecretDelivery[]): Promise<void>;
  close(): Promise<void>;
}

/** Options of {@link openSecretOutlet}. */
export interface SecretOutletOptions {
  readonly file?: string | undefined;
  readonly command?: string | undefined;
  /** The folder of the clients, in which no secrets may lie. */
  readonly folder: string;
  readonly environment: Environment;
}

/** Secrets written to a file, and synchronized, together. */
const FILE_BATCH = 100;

/**
 * Opens the receiver of generated secrets; `undefined` if there is none.
 * @throws CommandFailure if the file cannot hold secrets
 */
export async function openSecretOutlet({
  file,
  command,
  folder,
  environment,
}: SecretOutletOptions): Promise<SecretOutlet | undefined> {
  if (file !== undefined) {
    const opened = await openSecretsFile(file, folder);
    return { atOnce: FILE_BATCH, deliver: (secrets) => opened.append(secrets), close: () => opened.close() };
  }
  if (command === undefined) return undefined;
  return {
    atOnce: 1,
    deliver: async (secrets) => {
      for (const secret of secrets) await runSecretsCommand(command, secret, environment);
    },
    close: async () => undefined,
  };
}

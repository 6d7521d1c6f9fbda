import { nowSeconds } from '@vestibule/protocol';
import type { ClientAction } from './audit-actor.js';
import { type ManagedClient, managementActor } from './authorize-management.js';
import type { Client } from './client.js';
import { provisionSecret, retireSecret } from './provision-secret.js';
import type { RegistrationDeps } from './registration-deps.js';

/** How a secret is replaced. */
export interface SecretReplacement {
  /** What the change is in the records of who changed what. */
  readonly action: ClientAction;
  /** Whether the secret before may authenticate within the overlap of the settings. */
  readonly mayAuthenticate: boolean;
}

/** A client with a new secret. */
export interface ReplacedSecret {
  readonly client: Client;
  /** The secret in clear. */
  readonly secret: string;
}

/**
 * Gives a client a new secret and leaves everything else as it is, its registration access token included. The metadata
 * are not judged again: a secret can be replaced whatever has become of the rules and documents that they once met.
 * `undefined`, and no change, when someone else has changed the client in the meantime.
 */
export async function replaceSecret(
  deps: RegistrationDeps,
  managed: ManagedClient,
  { action, mayAuthenticate }: SecretReplacement,
): Promise<ReplacedSecret | undefined> {
  const { client } = managed;
  const { value, stored } = await provisionSecret(deps, client, client.metadata);
  const earlierSecret = await retireSecret(deps, client, mayAuthenticate);
  const { secretHash: _hash, ...lasting } = client;
  const next: Client = {
    ...lasting,
    secret: stored,
    updatedAt: nowSeconds(deps.clock),
    version: client.version + 1,
  };
  const isReplaced = await deps.clients.replace({
    client: next,
    ...(earlierSecret && { earlierSecret }),
    actor: managementActor(managed),
    action,
  });
  return isReplaced ? { client: next, secret: value } : undefined;
}

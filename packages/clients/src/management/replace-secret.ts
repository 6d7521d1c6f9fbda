import { nowSeconds } from '@vestibule/protocol';
import type { ClientAction } from '../audit-actor.js';
import type { Client } from '../client.js';
import type { ManagedClient } from '../managed-client.js';
import { provisionSecret, retireSecret } from '../registration/provision-credentials.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { managementActor } from './authorize-management.js';

/** How to replace a secret. */
export interface SecretReplacement {
  /** Audit action. */
  readonly action: ClientAction;
  /** Whether the previous secret may authenticate within the configured overlap. */
  readonly mayAuthenticate: boolean;
}

/** A client with a new secret. */
export interface ReplacedSecret {
  readonly client: Client;
  /** The plain-text secret. */
  readonly secret: string;
}

/**
 * Replaces the secret of a client and nothing else; the registration access token stays. The metadata are not validated
 * again, so a secret can be replaced even if rules or documents have changed. Returns `undefined` and changes nothing
 * if the client has changed in the meantime.
 */
export async function replaceSecret(
  deps: RegistrationDeps,
  managed: ManagedClient,
  { action, mayAuthenticate }: SecretReplacement,
): Promise<ReplacedSecret | undefined> {
  const { client } = managed;
  const { value, stored } = await provisionSecret(deps, client, client.metadata);
  const previousSecret = await retireSecret(deps, client, mayAuthenticate);
  const { secretHash: _hash, ...lasting } = client;
  const next: Client = {
    ...lasting,
    secret: stored,
    updatedAt: nowSeconds(deps.clock),
    version: client.version + 1,
  };
  const isReplaced = await deps.clients.replace({
    client: next,
    ...(previousSecret && { previousSecret }),
    actor: managementActor(managed),
    action,
  });
  return isReplaced ? { client: next, secret: value } : undefined;
}

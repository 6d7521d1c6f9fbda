import type { ClientMetadata } from '@vestibule/metadata';
import {
  clearSecretMembers,
  minimumSecretLength,
  needsClientSecret,
} from '@vestibule/metadata/client-secret-need';
import { nowSeconds } from '@vestibule/protocol';
import { secretAssociatedData } from '../associated-data.js';
import type { Client, ClientSecret, ClientSecretHash, PreviousClientSecret } from '../client.js';
import { isSecretExpired, provisionSecret, retireSecret } from './provision-credentials.js';
import type { RegistrationDeps } from './registration-deps.js';

/** The secret of a client after an update. */
export interface NextSecret {
  readonly stored?: ClientSecret | undefined;
  /** The imported hash in place of a secret. */
  readonly hash?: ClientSecretHash | undefined;
  /** The plain-text secret for the response; absent if it must be decrypted or there is none. */
  readonly value?: string | undefined;
  readonly previous?: PreviousClientSecret | undefined;
}

/**
 * Determines the secret after an update: a new one, the current one without rotation if it is still usable, or none for
 * metadata that need none.
 */
export async function nextSecret(
  deps: RegistrationDeps,
  client: Client,
  metadata: ClientMetadata,
): Promise<NextSecret> {
  if (!needsClientSecret(metadata)) return { previous: await retireSecret(deps, client, false) };
  if (!deps.settings.rotateSecretOnUpdate) {
    const value = await usableSecret(deps, client, metadata);
    if (value !== undefined) return { stored: client.secret, value };
    const hash = usableSecretHash(deps, client, metadata);
    if (hash !== undefined) return { hash };
  }
  const previous = await retireSecret(deps, client, true);
  const { value, stored } = await provisionSecret(deps, client, metadata);
  return { value, stored, previous };
}

/** How an update ends the secret of a client: it has none afterwards, or another one. */
export type SecretEnd = 'dropped' | 'replaced';

/**
 * Determines how an update to these metadata ends the secret of a client, or its imported hash; `undefined` if it stays, or
 * if there is none that has not expired. {@link nextSecret} does the same.
 */
export async function endOfSecret(
  deps: RegistrationDeps,
  client: Client,
  metadata: ClientMetadata,
): Promise<SecretEnd | undefined> {
  const held = client.secret ?? client.secretHash;
  if (held === undefined || isSecretExpired(held, nowSeconds(deps.clock))) return undefined;
  if (!needsClientSecret(metadata)) return 'dropped';
  if (deps.settings.rotateSecretOnUpdate) return 'replaced';
  const isKept =
    (await usableSecret(deps, client, metadata)) !== undefined ||
    usableSecretHash(deps, client, metadata) !== undefined;
  return isKept ? undefined : 'replaced';
}

/** Returns the current secret if it can stay; `undefined` if there is none, it has expired, or it is now too short. */
export async function usableSecret(
  { encryptor, clock }: RegistrationDeps,
  { id, secret }: Client,
  metadata: ClientMetadata,
): Promise<string | undefined> {
  if (secret === undefined || isSecretExpired(secret, nowSeconds(clock))) return undefined;
  const value = await encryptor.open(secret.encrypted, secretAssociatedData(id));
  return value.length < minimumSecretLength(metadata) ? undefined : value;
}

/**
 * Returns the imported hash if it can stay; `undefined` if there is none, it has expired, or the secret itself is
 * needed.
 */
export function usableSecretHash(
  { clock }: Pick<RegistrationDeps, 'clock'>,
  { secretHash }: Client,
  metadata: ClientMetadata,
): ClientSecretHash | undefined {
  if (secretHash === undefined || isSecretExpired(secretHash, nowSeconds(clock))) return undefined;
  return clearSecretMembers(metadata).length > 0 ? undefined : secretHash;
}

import {
  type ClientMetadata,
  clearSecretMembers,
  minimumSecretLength,
  needsClientSecret,
} from '@vestibule/metadata';
import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import { secretAssociatedData } from '../associated-data.js';
import type {
  Client,
  ClientSecret,
  ClientSecretHash,
  EarlierClientSecret,
  RegistrationToken,
} from '../client.js';
import {
  isSecretExpired,
  provisionRegistrationToken,
  provisionSecret,
  retireSecret,
} from '../registration/provision-credentials.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { knownRegistrationToken } from './authorize-management.js';
import type { ManagedClient } from './managed-client.js';

/** The registration access token of a client after an update. */
export interface NextRegistrationToken {
  /** Absent for a client without a registration access token. */
  readonly stored?: RegistrationToken | undefined;
  /** The plain-text token for the response; absent if it must be decrypted. */
  readonly value?: string | undefined;
}

/**
 * Determines the registration access token after an update: a new one, with the previous one valid for a while, or the
 * current one without rotation. An update with the master token also keeps the current one while the previous one is in
 * use, since it is unknown which of the two the client has.
 */
export async function nextRegistrationToken(
  deps: RegistrationDeps,
  managed: ManagedClient,
): Promise<NextRegistrationToken> {
  const { client, registrationToken: presented } = managed;
  const current = client.registrationToken;
  if (current === undefined || !deps.settings.rotateRegistrationTokenOnUpdate) {
    return { stored: current, value: knownRegistrationToken(managed) };
  }
  const now = nowSeconds(deps.clock);
  const isInDoubt = current.previous !== undefined && current.previous.expiresAt > now;
  if (presented === undefined && isInDoubt) return { stored: current };
  const { value, stored } = await provisionRegistrationToken(deps, client.id);
  const overlap = deps.settings.registrationTokenOverlapSeconds;
  const previous = { digest: current.digest, expiresAt: epochSeconds(now + overlap) };
  return { value, stored: { ...stored, previous } };
}

/** The secret of a client after an update. */
export interface NextSecret {
  readonly stored?: ClientSecret | undefined;
  /** The imported hash in place of a secret. */
  readonly hash?: ClientSecretHash | undefined;
  /** The plain-text secret for the response; absent if it must be decrypted or there is none. */
  readonly value?: string | undefined;
  readonly earlier?: EarlierClientSecret | undefined;
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
  if (!needsClientSecret(metadata)) return { earlier: await retireSecret(deps, client, false) };
  if (!deps.settings.rotateSecretOnUpdate) {
    const value = await usableSecret(deps, client, metadata);
    if (value !== undefined) return { stored: client.secret, value };
    const hash = usableSecretHash(deps, client, metadata);
    if (hash !== undefined) return { hash };
  }
  const earlier = await retireSecret(deps, client, true);
  const { value, stored } = await provisionSecret(deps, client, metadata);
  return { value, stored, earlier };
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

/**
 * The same dependencies with rotation off: an update then keeps secret and registration access token if they are still
 * usable.
 */
export function keepingCredentials<Deps extends Pick<RegistrationDeps, 'settings'>>(deps: Deps): Deps {
  const settings = { rotateSecretOnUpdate: false, rotateRegistrationTokenOnUpdate: false };
  return { ...deps, settings: { ...deps.settings, ...settings } };
}

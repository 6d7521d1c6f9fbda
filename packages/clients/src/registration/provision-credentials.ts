import { randomAlphanumeric } from '@vestibule/crypto';
import type { ClientMetadata } from '@vestibule/metadata';
import { ampleSecretLength } from '@vestibule/metadata/client-secret-need';
import { type ClientId, type EpochSeconds, epochSeconds, nowSeconds } from '@vestibule/protocol';
import {
  previousSecretAssociatedData,
  registrationTokenAssociatedData,
  secretAssociatedData,
  secretHashAssociatedData,
} from '../associated-data.js';
import type {
  Client,
  ClientOrigin,
  ClientSecret,
  ClientSecretHash,
  PreviousClientSecret,
  RegistrationToken,
} from '../client.js';
import type { RegistrationDeps } from './registration-deps.js';
import type { RegistrationSettings } from './registration-settings.js';

/** A new credential: the plain-text value for the response, and the stored forms. */
export interface Provisioned<Stored> {
  readonly value: string;
  readonly stored: Stored;
}

/** The client that a secret belongs to. */
export type SecretHolder = Pick<Client, 'id' | 'origin'>;

/** Generates a random secret that is long enough for every HMAC algorithm of the client (RFC 7518 section 3.2). */
export function provisionSecret(
  deps: RegistrationDeps,
  client: SecretHolder,
  metadata: ClientMetadata,
): Promise<Provisioned<ClientSecret>> {
  const length = Math.max(deps.settings.clientSecretLength, ampleSecretLength(metadata));
  return storeSecret(deps, client, randomAlphanumeric(length, deps.random));
}

/** The stored forms of a secret, valid for the configured lifetime from now. */
export async function storeSecret(
  deps: RegistrationDeps,
  { id, origin }: SecretHolder,
  value: string,
): Promise<Provisioned<ClientSecret>> {
  const end = secretEnd(deps, origin);
  return { value, stored: { ...(await storedSecret(deps, id, value)), ...end } };
}

/** The stored forms of a secret without expiry. */
export async function storedSecret(
  { digester, encryptor }: Pick<RegistrationDeps, 'digester' | 'encryptor'>,
  id: ClientId,
  value: string,
): Promise<ClientSecret> {
  return {
    digest: digester.digest('client-secret', value),
    encrypted: await encryptor.encrypt(value, secretAssociatedData(id)),
  };
}

/** The stored form of a secret of which only the hash is known, valid for the configured lifetime from now. */
export async function storeSecretHash(
  deps: RegistrationDeps,
  { id, origin }: SecretHolder,
  hash: string,
): Promise<ClientSecretHash> {
  return {
    encrypted: await deps.encryptor.encrypt(hash, secretHashAssociatedData(id)),
    ...secretEnd(deps, origin),
  };
}

/**
 * Keeps a replaced or dropped secret for the retention time, to decrypt and verify ID token hints. It authenticates
 * only within the overlap, never after its own expiry, and not if `mayAuthenticate` is false. `undefined` if nothing is
 * kept.
 */
export async function retireSecret(
  { encryptor, clock, settings }: RegistrationDeps,
  { id, secret }: Client,
  mayAuthenticate: boolean,
): Promise<PreviousClientSecret | undefined> {
  const now = nowSeconds(clock);
  const overlap = mayAuthenticate ? settings.clientSecretOverlapSeconds : 0;
  const kept = Math.max(settings.previousSecretRetentionSeconds, overlap);
  if (secret === undefined || kept === 0) return undefined;
  const value = await encryptor.open(secret.encrypted, secretAssociatedData(id));
  const authenticatesUntil = Math.min(now + overlap, secret.expiresAt ?? Number.POSITIVE_INFINITY);
  return {
    digest: secret.digest,
    encrypted: await encryptor.encrypt(value, previousSecretAssociatedData(id)),
    ...(authenticatesUntil > now && { authenticatesUntil: epochSeconds(authenticatesUntil) }),
    keptUntil: epochSeconds(now + kept),
  };
}

function secretEnd(
  { settings, clock }: RegistrationDeps,
  origin: ClientOrigin,
): Pick<ClientSecret, 'expiresAt'> {
  const lifetime = secretLifetime(settings, origin);
  return lifetime > 0 ? { expiresAt: epochSeconds(nowSeconds(clock) + lifetime) } : {};
}

function secretLifetime(settings: RegistrationSettings, origin: ClientOrigin): number {
  const { secretLifetimeSeconds } = settings.openRegistrations;
  const isOwn = origin === 'open_registration' && secretLifetimeSeconds > 0;
  return isOwn ? secretLifetimeSeconds : settings.clientSecretLifetimeSeconds;
}

/** Whether a secret has expired at `now`. It is invalid from the second of its expiry on. */
export function isSecretExpired(secret: Pick<ClientSecret, 'expiresAt'>, now: EpochSeconds): boolean {
  return secret.expiresAt !== undefined && secret.expiresAt <= now;
}

/** Generates a registration access token (registration/API.md#client-information), without a previous one. */
export async function provisionRegistrationToken(
  { random, digester, encryptor, settings }: RegistrationDeps,
  id: ClientId,
): Promise<Provisioned<RegistrationToken>> {
  const value = randomAlphanumeric(settings.registrationTokenLength, random);
  return {
    value,
    stored: {
      digest: digester.digest('registration-access-token', value),
      encrypted: await encryptor.encrypt(value, registrationTokenAssociatedData(id)),
    },
  };
}

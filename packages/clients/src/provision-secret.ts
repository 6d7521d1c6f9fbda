import { randomAlphanumeric } from '@vestibule/crypto';
import { ampleSecretLength, type ClientMetadata } from '@vestibule/metadata';
import { type ClientId, type EpochSeconds, epochSeconds, nowSeconds } from '@vestibule/protocol';
import {
  earlierSecretAssociatedData,
  secretAssociatedData,
  secretHashAssociatedData,
} from './associated-data.js';
import type { Client, ClientOrigin, ClientSecret, ClientSecretHash, EarlierClientSecret } from './client.js';
import type { RegistrationDeps } from './registration-deps.js';
import type { RegistrationSettings } from './registration-settings.js';

/** A credential that was just made: the value for the response, the two stored forms for the record. */
export interface Provisioned<Stored> {
  readonly value: string;
  readonly stored: Stored;
}

/** Whose secret it is. */
export type SecretHolder = Pick<Client, 'id' | 'origin'>;

/** A fresh random secret that is long enough for every HMAC algorithm the client may use (RFC 7518 section 3.2). */
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

/** The stored forms of a secret without an end. */
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

/** The stored form of a secret that is known by its hash alone, valid for the configured lifetime from now. */
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
 * What stays of a secret that is replaced or dropped: it opens and verifies ID token hints for the retention time, and
 * authenticates within the overlap alone, never after its own expiry and not when `mayAuthenticate` is false.
 * `undefined` when nothing is to stay.
 */
export async function retireSecret(
  { encryptor, clock, settings }: RegistrationDeps,
  { id, secret }: Client,
  mayAuthenticate: boolean,
): Promise<EarlierClientSecret | undefined> {
  const now = nowSeconds(clock);
  const overlap = mayAuthenticate ? settings.clientSecretOverlapSeconds : 0;
  const kept = Math.max(settings.earlierSecretRetentionSeconds, overlap);
  if (secret === undefined || kept === 0) return undefined;
  const value = await encryptor.open(secret.encrypted, secretAssociatedData(id));
  const authenticatesUntil = Math.min(now + overlap, secret.expiresAt ?? Number.POSITIVE_INFINITY);
  return {
    digest: secret.digest,
    encrypted: await encryptor.encrypt(value, earlierSecretAssociatedData(id)),
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

/** Whether a secret has expired at `now`: it is dead in the second that its expiry names. */
export function isSecretExpired(secret: Pick<ClientSecret, 'expiresAt'>, now: EpochSeconds): boolean {
  return secret.expiresAt !== undefined && secret.expiresAt <= now;
}

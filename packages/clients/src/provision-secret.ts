import { randomAlphanumeric } from '@vestibule/crypto';
import { ampleSecretLength, type ClientMetadata } from '@vestibule/metadata';
import { type EpochSeconds, epochSeconds, nowSeconds } from '@vestibule/protocol';
import type { Client, ClientOrigin, ClientSecret, EarlierClientSecret } from './client.js';
import type { RegistrationDeps } from './registration-deps.js';
import type { RegistrationSettings } from './registration-settings.js';
import { earlierSecretPlace, secretPlace } from './sealed-places.js';

/** A credential that was just made: the value for the answer, the two stored forms for the record. */
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
  { digester, sealer, clock, settings }: RegistrationDeps,
  { id, origin }: SecretHolder,
  value: string,
): Promise<Provisioned<ClientSecret>> {
  const lifetime = secretLifetime(settings, origin);
  return {
    value,
    stored: {
      digest: digester.digest('client-secret', value),
      sealed: await sealer.seal(value, secretPlace(id)),
      ...(lifetime > 0 && { expiresAt: epochSeconds(nowSeconds(clock) + lifetime) }),
    },
  };
}

/**
 * What stays of a secret that is replaced or dropped: it opens and verifies ID token hints for the retention time, and
 * authenticates within the overlap alone, never after its own expiry and not when `mayAuthenticate` is false.
 * `undefined` when nothing is to stay.
 */
export async function retireSecret(
  { sealer, clock, settings }: RegistrationDeps,
  { id, secret }: Client,
  mayAuthenticate: boolean,
): Promise<EarlierClientSecret | undefined> {
  const now = nowSeconds(clock);
  const overlap = mayAuthenticate ? settings.clientSecretOverlapSeconds : 0;
  const kept = Math.max(settings.earlierSecretRetentionSeconds, overlap);
  if (secret === undefined || kept === 0) return undefined;
  const value = await sealer.open(secret.sealed, secretPlace(id));
  const authenticatesUntil = Math.min(now + overlap, secret.expiresAt ?? Number.POSITIVE_INFINITY);
  return {
    digest: secret.digest,
    sealed: await sealer.seal(value, earlierSecretPlace(id)),
    ...(authenticatesUntil > now && { authenticatesUntil: epochSeconds(authenticatesUntil) }),
    keptUntil: epochSeconds(now + kept),
  };
}

function secretLifetime(settings: RegistrationSettings, origin: ClientOrigin): number {
  const { secretLifetimeSeconds } = settings.openRegistrations;
  const isOwn = origin === 'open_registration' && secretLifetimeSeconds > 0;
  return isOwn ? secretLifetimeSeconds : settings.clientSecretLifetimeSeconds;
}

/** Whether a secret has expired at `now`: it is dead in the second that its expiry names. */
export function isSecretExpired(secret: ClientSecret, now: EpochSeconds): boolean {
  return secret.expiresAt !== undefined && secret.expiresAt <= now;
}

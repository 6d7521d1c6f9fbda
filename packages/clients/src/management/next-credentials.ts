import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import type { RegistrationToken } from '../client.js';
import type { ManagedClient } from '../managed-client.js';
import { provisionRegistrationToken } from '../registration/provision-credentials.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { knownRegistrationToken } from './authorize-management.js';

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

/**
 * The same dependencies with rotation off: an update then keeps secret and registration access token if they are still
 * usable.
 */
export function keepingCredentials<Deps extends Pick<RegistrationDeps, 'settings'>>(deps: Deps): Deps {
  const settings = { rotateSecretOnUpdate: false, rotateRegistrationTokenOnUpdate: false };
  return { ...deps, settings: { ...deps.settings, ...settings } };
}

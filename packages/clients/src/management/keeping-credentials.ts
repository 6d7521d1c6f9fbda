import type { RegistrationDeps } from '../registration/registration-deps.js';

/**
 * The same dependencies with rotation off: an update then keeps secret and registration access token if they are still
 * usable.
 */
export function keepingCredentials<Deps extends Pick<RegistrationDeps, 'settings'>>(deps: Deps): Deps {
  const settings = { rotateSecretOnUpdate: false, rotateRegistrationTokenOnUpdate: false };
  return { ...deps, settings: { ...deps.settings, ...settings } };
}

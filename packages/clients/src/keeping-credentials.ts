import type { RegistrationDeps } from './registration-deps.js';

/**
 * The same means, under which an update leaves secret and registration access token as they are where they still serve.
 */
export function keepingCredentials<Deps extends Pick<RegistrationDeps, 'settings'>>(deps: Deps): Deps {
  const settings = { rotateSecretOnUpdate: false, rotateRegistrationTokenOnUpdate: false };
  return { ...deps, settings: { ...deps.settings, ...settings } };
}

import type { Issuer } from '@vestibule/protocol';
import { type Environment, loadSettings, SHARED_SETTINGS } from '@vestibule/service/settings';
import Type from 'typebox';

const IssuerSettings = Type.Object({ BASE_URL: SHARED_SETTINGS.BASE_URL });

/**
 * Returns the issuer.
 * @throws SettingsError
 */
export function issuerOf(environment: Environment): Issuer {
  return loadSettings(IssuerSettings, environment).BASE_URL;
}

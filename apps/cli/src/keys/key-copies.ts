import { type KeySetName, signingKeyOverlapSeconds } from '@vestibule/crypto/signing-keys';
import { type Environment, loadSettings } from '@vestibule/service/settings';
import { KEY_COPY_SETTINGS } from '@vestibule/service/shared-settings';
import Type from 'typebox';

const KeyCopySettings = Type.Object(KEY_COPY_SETTINGS);

/** Returns how long a key pair must be published before it signs, in seconds. */
export function publicationSeconds(environment: Environment, keySet: KeySetName): number {
  return signingKeyOverlapSeconds(cachedSeconds(environment, keySet));
}

/** Returns how long copies of a key set may be cached, in seconds, from the settings of the services that publish it. */
export function cachedSeconds(environment: Environment, keySet: KeySetName): number {
  const settings = loadSettings(KeyCopySettings, environment);
  return keySet === 'federation'
    ? settings.FEDERATION_STATEMENT_LIFETIME_SECONDS
    : settings.KEY_SET_MAX_AGE_SECONDS;
}

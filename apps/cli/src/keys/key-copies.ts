import {
  type KeySetName,
  type SigningKeyOverlap,
  signingKeyOverlapSeconds,
} from '@vestibule/crypto/signing-keys';
import { type Environment, KEY_COPY_SETTINGS, loadSettings } from '@vestibule/service/settings';
import Type from 'typebox';

const KeyCopySettings = Type.Object(KEY_COPY_SETTINGS);

/**
 * Returns the overlap that a change of a key pair must respect, from the settings of the services that publish the key
 * set.
 */
export function keyOverlap(environment: Environment, keySet: KeySetName, atOnce: boolean): SigningKeyOverlap {
  return atOnce ? { atOnce } : { cachedSeconds: cachedSeconds(environment, keySet) };
}

/** Returns how long a key pair must be published before it signs, in seconds. */
export function publicationSeconds(environment: Environment, keySet: KeySetName): number {
  return signingKeyOverlapSeconds(cachedSeconds(environment, keySet));
}

function cachedSeconds(environment: Environment, keySet: KeySetName): number {
  const settings = loadSettings(KeyCopySettings, environment);
  return keySet === 'federation'
    ? settings.FEDERATION_STATEMENT_LIFETIME_SECONDS
    : settings.KEY_SET_MAX_AGE_SECONDS;
}

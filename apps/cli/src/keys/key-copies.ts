import { type KeySetName, type SigningKeyOverlap, signingKeyOverlapSeconds } from '@vestibule/crypto';
import { type Environment, KEY_COPY_SETTINGS, loadSettings } from '@vestibule/service-kit/settings';
import Type from 'typebox';

const KeyCopySettings = Type.Object(KEY_COPY_SETTINGS);

/** The overlap that a change of a key pair has to keep, by the settings of the services that publish the set. */
export function keyOverlap(environment: Environment, keySet: KeySetName, atOnce: boolean): SigningKeyOverlap {
  return atOnce ? { atOnce } : { cachedSeconds: cachedSeconds(environment, keySet) };
}

/** How long a key pair of a set is published before it may sign, in seconds. */
export function publicationSeconds(environment: Environment, keySet: KeySetName): number {
  return signingKeyOverlapSeconds(cachedSeconds(environment, keySet));
}

function cachedSeconds(environment: Environment, keySet: KeySetName): number {
  const settings = loadSettings(KeyCopySettings, environment);
  return keySet === 'federation'
    ? settings.FEDERATION_STATEMENT_LIFETIME_SECONDS
    : settings.KEY_SET_MAX_AGE_SECONDS;
}

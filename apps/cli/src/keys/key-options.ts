import { Option } from '@commander-js/extra-typings';
import {
  type KeyStores,
  keyIdentifier,
  type ListedKey,
  listKeys,
  ringAlgorithms,
} from '@vestibule/crypto/key-rings';
import { systemClock } from '@vestibule/protocol';
import { notFound } from '../frame/command-failure.js';
import { integerValue } from '../frame/option-values.js';

const THIRTY_DAYS_S = 2_592_000;
const TEN_YEARS_S = 315_360_000;

/**
 * Finds a key by its identifier.
 * @throws CommandFailure if it does not exist
 */
export async function findKey(keys: KeyStores, id: string): Promise<ListedKey> {
  const listed = (await listKeys(keys, systemClock)).find((candidate) => keyIdentifier(candidate) === id);
  if (listed === undefined) throw notFound('There is no key with that identifier: see vestibule keys list.');
  return listed;
}

/** Creates the `--algorithm` option of key pairs. */
export function algorithmOption(description: string) {
  return new Option('--algorithm <name>', description).choices([
    ...ringAlgorithms('provider'),
    ...ringAlgorithms('encryption'),
  ]);
}

/** Creates the `--published-seconds` option of retired key pairs. */
export function publishedOption() {
  return new Option(
    '--published-seconds <seconds>',
    'how long a retired key pair stays published, so that its signatures still verify',
  )
    .argParser(integerValue(0, TEN_YEARS_S))
    .default(THIRTY_DAYS_S, '2592000, 30 days');
}

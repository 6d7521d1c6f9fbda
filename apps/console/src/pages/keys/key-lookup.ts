import { secureRandom } from '@vestibule/crypto';
import {
  type KeyChanges,
  type KeyStep,
  keyChanges,
  keyIdentifier,
  type ListedKey,
  listKeys,
  nextKeyStep,
} from '@vestibule/crypto/key-rings';
import { DomainError } from '@vestibule/protocol';
import type { Visit } from '../../frame/visit.js';
import type { KeysPagesDeps } from './keys-deps.js';

/** Lists every key that has not expired. */
export function everyKey({ store: { database, clock } }: KeysPagesDeps): Promise<readonly ListedKey[]> {
  return listKeys(database, clock);
}

/** A key, with what comes next for it. */
export interface KeyWithStep {
  readonly listed: ListedKey;
  readonly step: KeyStep;
}

/** Adds what comes next to each key. */
export function withSteps(
  { keyCopySeconds }: KeysPagesDeps,
  keys: readonly ListedKey[],
): readonly KeyWithStep[] {
  const cachedSeconds = (keySet: keyof typeof keyCopySeconds) => keyCopySeconds[keySet];
  return keys.map((listed) => ({ listed, step: nextKeyStep(listed, keys, cachedSeconds) }));
}

/**
 * Finds the key that the path of a page names.
 * @throws DomainError `not_found`
 */
export async function requireKey(deps: KeysPagesDeps, { param }: Visit): Promise<KeyWithStep> {
  const keys = await everyKey(deps);
  const found = withSteps(deps, keys).find(({ listed }) => keyIdentifier(listed) === param('id'));
  if (found === undefined) throw new DomainError('not_found', 'There is no such key. It may have expired.');
  return found;
}

/** Creates the changes of keys, recorded with the person as the actor. */
export function changesBy(
  { store: { database, encryptor, clock }, keyEncryptionKeys, keyCopySeconds }: KeysPagesDeps,
  { operator: { actor } }: Visit,
): KeyChanges {
  return keyChanges({
    ...database.actingAs({ actor, clock }),
    encryptor,
    keyEncryptionKeys,
    clock,
    random: secureRandom,
    cachedSeconds: (keySet) => keyCopySeconds[keySet],
  });
}

/** Digits of an identifier that are typed to confirm. */
const CONFIRMED_LENGTH = 8;

/** Returns what is typed to confirm a change of a key. */
export function confirmationWord(listed: ListedKey): string {
  return keyIdentifier(listed).slice(0, CONFIRMED_LENGTH);
}

/** Path of the page of a key. */
export function keyAddress(listed: ListedKey): string {
  return `/keys/${encodeURIComponent(keyIdentifier(listed))}`;
}

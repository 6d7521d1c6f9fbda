import { ALGORITHM_MEMBERS } from '@vestibule/metadata';
import type { MetadataPolicy } from '@vestibule/metadata/policy';
import type { JsonObject } from '@vestibule/protocol';
import { operatorsByMember } from './member-policy.js';

/**
 * Finds policies that give clients a content encryption without ensuring its key management: they would refuse every
 * client that does not ask for encryption (OpenID Connect Dynamic Client Registration 1.0 section 2).
 */
export function encryptionProblems(policy: MetadataPolicy): readonly string[] {
  const operators = operatorsByMember(policy);
  return Object.values(ALGORITHM_MEMBERS).flatMap(({ encryption, contentEncryption }) => {
    const isWhole = isGiven(operators[encryption]) || operators[encryption]?.['essential'] === true;
    return !isGiven(operators[contentEncryption]) || isWhole
      ? []
      : [`${contentEncryption} has a value or default; ${encryption} needs one too, or essential`];
  });
}

/** Whether the operators on a member ensure that it is present. */
function isGiven({ value = null, default: otherwise = null }: JsonObject = {}): boolean {
  return value !== null || otherwise !== null;
}

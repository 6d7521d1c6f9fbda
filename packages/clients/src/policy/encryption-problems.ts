import { ALGORITHM_MEMBERS } from '@vestibule/metadata';
import type { MetadataPolicy } from '@vestibule/metadata/policy';
import type { JsonObject } from '@vestibule/protocol';
import { operatorsByMember } from './member-policy.js';

/**
 * Where a policy gives clients a content encryption and lets them be without its key management: each that asks for no
 * encryption would be refused (OpenID Connect Dynamic Client Registration 1.0 section 2).
 */
export function encryptionProblems(policy: MetadataPolicy): readonly string[] {
  const operators = operatorsByMember(policy);
  return Object.values(ALGORITHM_MEMBERS).flatMap(({ encryption, contentEncryption }) => {
    const isWhole = isGiven(operators[encryption]) || operators[encryption]?.['essential'] === true;
    return !isGiven(operators[contentEncryption]) || isWhole
      ? []
      : [`${contentEncryption} has a value or default, and ${encryption} has neither and is not essential`];
  });
}

/** Whether the operators on a member see to it that it is there. */
function isGiven({ value = null, default: otherwise = null }: JsonObject = {}): boolean {
  return value !== null || otherwise !== null;
}

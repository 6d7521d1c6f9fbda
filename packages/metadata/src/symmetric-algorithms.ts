import { HMAC_ALGORITHMS, SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS } from '@vestibule/protocol/constants';
import { ALGORITHM_MEMBERS } from './algorithm-members.js';
import type { MemberName } from './metadata-schema.js';
import { ALGORITHM_USES } from './supported-metadata.js';

const SYMMETRIC_ALGORITHMS: readonly unknown[] = [...HMAC_ALGORITHMS, ...SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS];

/**
 * Returns the members that sign or encrypt messages to or from a client under its secret (OpenID Connect Core 1.0
 * sections 10.1 and 10.2), in the order of the kinds of messages, without client assertions.
 */
export function symmetricAlgorithmMembers(
  members: Readonly<Partial<Record<MemberName, unknown>>>,
): readonly MemberName[] {
  return ALGORITHM_USES.flatMap((use) => {
    const { signing, encryption } = ALGORITHM_MEMBERS[use];
    return [signing, encryption].filter((name) => SYMMETRIC_ALGORITHMS.includes(members[name]));
  });
}

import type { Digest } from '@vestibule/crypto';
import { randomAlphanumeric, sha256 } from '@vestibule/crypto';
import type { RandomSource } from '@vestibule/protocol';
import type { ProviderRecords } from '@vestibule/tokens';
import { textMember } from './model-payload.js';

/** Gives an end-user's name at one sector. */
export type PairwiseSubjects = (sector: string, accountId: string) => Promise<string>;

const KIND = 'PairwiseSubject';
const SUBJECT_LENGTH = 32;

/**
 * Pairwise subjects that are random and kept (OpenID Connect Core section 8.1): they say nothing about the end-user, and
 * stay the same whatever keys rotate. Of parallel first uses one name wins.
 */
export function pairwiseSubjects(
  { artifacts }: Pick<ProviderRecords, 'artifacts'>,
  random: RandomSource,
): PairwiseSubjects {
  return async (sector, accountId) => {
    const digest = sha256(JSON.stringify([sector, accountId])) as Digest;
    const subject = randomAlphanumeric(SUBJECT_LENGTH, random);
    const kept = textMember(await artifacts.keepFirst(KIND, digest, { subject }), 'subject');
    if (kept === undefined) throw new TypeError('a kept subject is not a text');
    return kept;
  };
}

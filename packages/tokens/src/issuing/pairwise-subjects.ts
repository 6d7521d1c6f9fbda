import { randomAlphanumeric, sha256 } from '@vestibule/crypto';
import type { Digest } from '@vestibule/crypto/data-keys';
import type { EpochSeconds, RandomSource } from '@vestibule/protocol';
import type { ProviderPayload, ProviderRecords } from '../provider/provider-records.js';

/** Returns the pairwise subject of an end-user at a sector. */
export type PairwiseSubjects = (sector: string, accountId: string) => Promise<string>;

const KIND = 'PairwiseSubject';
const SUBJECT_LENGTH = 32;

/**
 * Creates pairwise subjects that are random and stored (OpenID Connect Core section 8.1). They reveal nothing about the
 * end-user and do not change when keys rotate. Parallel first uses get the same subject.
 */
export function pairwiseSubjects(
  { artifacts }: Pick<ProviderRecords, 'artifacts'>,
  random: RandomSource,
): PairwiseSubjects {
  return async (sector, accountId) => {
    const subject = randomAlphanumeric(SUBJECT_LENGTH, random);
    const kept = subjectOf(await artifacts.insertIfAbsent(KIND, nameOf(sector, accountId), { subject }));
    if (kept === undefined) throw new TypeError('a stored subject is not a string');
    return kept;
  };
}

/**
 * Stores a pairwise subject that an authorization server chose itself, in place of a different one, so that
 * {@link findPairwiseSubject} finds it.
 */
export async function recordPairwiseSubject(
  { artifacts }: Pick<ProviderRecords, 'artifacts'>,
  { sector, accountId }: { readonly sector: string; readonly accountId: string },
  subject: string,
): Promise<void> {
  const digest = nameOf(sector, accountId);
  const kept = subjectOf(await artifacts.insertIfAbsent(KIND, digest, { subject }));
  if (kept !== subject) await artifacts.save({ kind: KIND, digest, payload: { subject } }, [digest]);
}

/** Finds the pairwise subject of an end-user at a sector, without creating one. */
export async function findPairwiseSubject(
  { artifacts }: { readonly artifacts: Pick<ProviderRecords['artifacts'], 'find'> },
  { sector, accountId }: { readonly sector: string; readonly accountId: string },
  now: EpochSeconds,
): Promise<string | undefined> {
  const found = await artifacts.find(KIND, [nameOf(sector, accountId)], now);
  return found && subjectOf(found.payload);
}

function nameOf(sector: string, accountId: string): Digest {
  return sha256(JSON.stringify([sector, accountId])) as Digest;
}

function subjectOf({ subject }: ProviderPayload): string | undefined {
  return typeof subject === 'string' && subject !== '' ? subject : undefined;
}

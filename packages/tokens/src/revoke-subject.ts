import type { EpochSeconds } from '@vestibule/protocol';
import type { ProviderRecords } from './provider-records.js';
import type { RevocationStore } from './revocation-store.js';

/** What revoking everything of an end-user takes. */
export interface SubjectRevocationDeps {
  readonly revocations: Pick<RevocationStore, 'revokeSubject'>;
  readonly sessions: Pick<ProviderRecords['sessions'], 'endOfSubject'>;
}

/**
 * Ends every session of an end-user, which notifies the clients of those sessions, and revokes every token and
 * authorization. When it returns all of it is stored; after a failure it may be called again.
 */
export async function revokeSubject(
  { revocations, sessions }: SubjectRevocationDeps,
  subject: string,
  now: EpochSeconds,
): Promise<void> {
  // The sessions first: from then on they give no new tokens.
  await sessions.endOfSubject(subject, now);
  await revocations.revokeSubject(subject, now);
}

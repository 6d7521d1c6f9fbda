import type { EpochSeconds } from '@vestibule/protocol';
import type { ProviderRecords } from '../provider/provider-records.js';
import type { RevocationStore } from './revocation-store.js';

/** Dependencies of revoking everything of an end-user. */
export interface SubjectRevocationDeps {
  readonly revocations: Pick<RevocationStore, 'revokeSubject'>;
  readonly sessions: Pick<ProviderRecords['sessions'], 'endOfSubject'>;
}

/**
 * Ends every session of an end-user, which notifies the clients of those sessions, and revokes every token and
 * authorization. When it returns, all of it is stored. It can be called again after a failure.
 */
export async function revokeSubject(
  { revocations, sessions }: SubjectRevocationDeps,
  subject: string,
  now: EpochSeconds,
): Promise<void> {
  // Sessions first, so that no new tokens are issued in them.
  await sessions.endOfSubject(subject, now);
  await revocations.revokeSubject(subject, now);
}

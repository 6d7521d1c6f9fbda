import { sha256 } from '@vestibule/crypto';

const SHORT_DIGEST_BYTES = 8;

/** Returns the target of events about an end-user, which do not contain the subject itself. */
export function subjectTarget(subject: string): string {
  return `subject:${shortDigestOf(subject)}`;
}

/** Returns the target of events about a session, by its own identifier or, for revocations, the `sid` of a client. */
export function sessionTarget(session: string): string {
  return `session:${shortDigestOf(session)}`;
}

/** The same digest as `shortDigest` builds in SQL. */
function shortDigestOf(name: string): string {
  return Buffer.from(sha256(name).subarray(0, SHORT_DIGEST_BYTES)).toString('hex');
}

import { INACTIVE_CAUSES, type InactiveCause, type InactiveReason } from '@vestibule/tokens/introspection';

/** Why a token is not active, as a sentence for operators. */
export const INACTIVE_REASONS: Readonly<Record<InactiveReason, string>> = {
  malformed: 'The text cannot be a token: it has characters or a length that no token has.',
  unknown:
    'There is no such access token: it was never issued here, was consumed, revoked or deleted after its expiry, its session or client has ended, or its client is not active. Refresh tokens and initial access tokens are not introspected.',
  not_ours: 'It is not an access token of this issuer.',
  revoked:
    'It was revoked: by itself, or with its client, end-user or session. Or its client does not exist or is not active.',
  expired: 'It has expired.',
  client_expired: 'The registration of its client has expired.',
  not_yet_valid: 'It is not valid yet.',
  foreign_audience: 'It is for other resource servers.',
};

/** Whether causes say more precisely what a reason says: it is then left out. */
export function isCauseOf(reason: InactiveReason, causes: readonly InactiveCause[]): boolean {
  return causes.length > 0 && (reason === 'unknown' || reason === 'revoked');
}

/** Returns why a token is not active, as sentences. */
export function inactiveSentences(
  reason: InactiveReason,
  causes: readonly InactiveCause[],
): readonly string[] {
  return isCauseOf(reason, causes)
    ? causes.map(({ kind }) => INACTIVE_CAUSES[kind])
    : [INACTIVE_REASONS[reason]];
}

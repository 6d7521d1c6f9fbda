import type { UpstreamFailure } from '@vestibule/service/upstream';

/**
 * How a login at the other provider ended.
 *
 * - `success`: the end-user is logged in here too
 * - `cancelled`: the end-user cancelled it there
 * - otherwise the failure
 */
export const UPSTREAM_OUTCOMES = [
  'success',
  'cancelled',
  'unreachable',
  'refused',
  'response',
  'stale_login',
] as const satisfies readonly ('success' | 'cancelled' | UpstreamFailure)[];

/** An outcome from the closed list, for metrics. */
export type UpstreamOutcome = (typeof UPSTREAM_OUTCOMES)[number];

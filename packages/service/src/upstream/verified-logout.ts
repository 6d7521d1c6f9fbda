import { sha256 } from '@vestibule/crypto';
import { type Clock, DomainError, type EpochSeconds, epochSeconds, nowSeconds } from '@vestibule/protocol';
import { LOGOUT_TOKEN_MAX_AGE_SECONDS, LOGOUT_TOKEN_SKEW_SECONDS } from './logout-token.js';
import { UpstreamError } from './upstream-error.js';
import type { UpstreamLogout, UpstreamProvider } from './upstream-provider.js';

/** Records what was used once, in every instance. */
export interface UsedTokens {
  /**
   * Records a use. Never rejects: a failure is `unavailable`.
   * @param digest 32 bytes that identify the use
   */
  recordUse(digest: Uint8Array, keepUntil: EpochSeconds): Promise<'fresh' | 'replayed' | 'unavailable'>;
}

/** Dependencies of {@link verifiedLogout}. */
export interface VerifiedLogoutDeps {
  readonly provider: Pick<UpstreamProvider, 'readLogoutToken'>;
  readonly replays: UsedTokens;
  readonly clock: Clock;
  /** Called for each failure of the provider, for the log. */
  readonly onProblem: (error: UpstreamError) => void;
}

/** Longest logout token that is read, in characters. */
export const LOGOUT_TOKEN_MAX_LENGTH = 12_288;

/**
 * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.6), its single use included.
 * @throws DomainError `invalid_request` for a token that is not valid or was used before; `server_error` if that cannot be
 *   known, so that the provider tries again
 */
export async function verifiedLogout(deps: VerifiedLogoutDeps, text: string): Promise<UpstreamLogout> {
  const logout = await read(deps, text);
  if (logout === undefined) throw new DomainError('invalid_request', 'logout_token: is not valid');
  const use = sha256(JSON.stringify(['upstream_logout_token', logout.issuer, logout.jti]));
  const keptSeconds = LOGOUT_TOKEN_MAX_AGE_SECONDS + 2 * LOGOUT_TOKEN_SKEW_SECONDS;
  const outcome = await deps.replays.recordUse(use, epochSeconds(nowSeconds(deps.clock) + keptSeconds));
  if (outcome === 'replayed') throw new DomainError('invalid_request', 'logout_token: was used before');
  if (outcome === 'unavailable')
    throw new DomainError('server_error', 'It is unknown whether the token was used');
  return logout;
}

async function read({ provider, onProblem }: VerifiedLogoutDeps, text: string) {
  try {
    return await provider.readLogoutToken(text);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    onProblem(error);
    throw new DomainError('server_error', 'The keys of the provider cannot be read');
  }
}

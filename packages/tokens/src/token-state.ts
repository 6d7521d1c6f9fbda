import type { AudienceNames } from '@vestibule/clients';
import { type Digest, type Digester, findByDigest, requireEveryKey } from '@vestibule/crypto';
import { type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import type { AccessToken } from './access-token.js';
import type { AccessTokenStore } from './access-token-store.js';
import type { RevocationStore, TokenStanding } from './revocation-store.js';
import { readSelfContained, type SelfContainedTokenDeps } from './self-contained-token.js';
import { type InactiveReason, whyUntimely } from './token-decision.js';
import { tokenSyntax } from './token-syntax.js';

/** The state of a token that exists and is not revoked, whoever asks and whatever the time. */
export interface TokenState {
  readonly format: 'identifier' | 'jwt';
  readonly token: AccessToken;
  /**
   * The active response that tells all of the token, written as JSON, once someone was given it: it depends on the
   * token alone. Whoever answers with it has made sure that the caller may see it, and all of it.
   */
  serializedResponse?: string | undefined;
}

/** The state of a token, or why there is none. */
export type FoundToken =
  | { readonly found: true; readonly state: TokenState }
  | {
      readonly found: false;
      readonly reason: InactiveReason;
      /** The `jti` of a self-contained token of ours that is not active: its signature was verified. */
      readonly jti?: string;
    };

/** Where the states of tokens are read, with or without a memory in between. */
export interface TokenStates {
  /** What is known of a text without asking anyone; `undefined` when someone has to be asked. */
  known(text: string): FoundToken | undefined;
  /**
   * The state of what may be an access token. Rejects when nobody can tell: also of a token that is not found while it
   * may be under a key for digests that cannot be opened.
   */
  read(text: string): Promise<FoundToken>;
  /**
   * Uses up an identifier-based token that is alive at `now` and for the caller; found for one caller alone. Rejects
   * when nobody can tell, as reading does.
   */
  claim(text: string, caller: AudienceNames, now: EpochSeconds): Promise<FoundToken>;
}

/** What reading the state of a token takes. */
export interface TokenStateDeps extends SelfContainedTokenDeps {
  readonly digester: Digester;
  readonly accessTokens: Pick<AccessTokenStore, 'find'>;
  readonly revocations: Pick<RevocationStore, 'standings'>;
  /** Where states are read; straight from the stores when absent. */
  readonly states?: Pick<TokenStates, 'known' | 'read'>;
}

/**
 * Reads the state of what may be an access token. The format is told from the text; what cannot be a token is not
 * looked up anywhere. A fault of a store is the caller's to see: it never makes a token unknown.
 * @throws KeyEncryptionError when it is not found, and may be under a key for digests that cannot be opened
 */
export async function readTokenState(deps: TokenStateDeps, text: string): Promise<FoundToken> {
  switch (tokenSyntax(text)) {
    case 'jwt':
      return readJwtState(deps, text);
    case 'identifier': {
      const { digester, accessTokens } = deps;
      const look = () => accessTokens.find(digester.candidates('access-token', text));
      const token = await findByDigest(digester, look);
      return token === undefined
        ? notFound('unknown')
        : { found: true, state: { format: 'identifier', token } };
    }
    case 'impossible':
      return notFound('malformed');
  }
}

/** The token when it is live at present: ours, within its times and not revoked; for whomever it is meant. */
export async function readLiveToken(deps: TokenStateDeps, text: string): Promise<AccessToken | undefined> {
  const read = deps.states?.known(text) ?? (await (deps.states?.read(text) ?? readTokenState(deps, text)));
  if (!read.found) return undefined;
  const { token } = read.state;
  return whyUntimely(token, nowSeconds(deps.clock)) === undefined ? token : undefined;
}

/** Who uses up a token when, and whether the digests that it may have are under every key. */
export interface TokenClaim {
  readonly caller: AudienceNames;
  readonly now: EpochSeconds;
  readonly hasEveryKey: boolean;
}

/**
 * Uses up the token with any of the digests, if it is alive at `now` and for the caller.
 * @throws KeyEncryptionError when there is none, and may be one under a key for digests that cannot be opened
 */
export async function claimToken(
  accessTokens: Pick<AccessTokenStore, 'claim' | 'find'>,
  candidates: readonly Digest[],
  { caller, now, hasEveryKey }: TokenClaim,
): Promise<FoundToken> {
  const token = await accessTokens.claim(candidates, caller, now);
  if (token !== undefined) return { found: true, state: { format: 'identifier', token } };
  // A token that is there and not alive, or for others, is one that they cannot use up, whatever keys are missing.
  requireEveryKey(hasEveryKey || (await accessTokens.find(candidates)) !== undefined);
  return notFound('unknown');
}

async function readJwtState(deps: TokenStateDeps, text: string): Promise<FoundToken> {
  const token = await readSelfContained(deps, text);
  if (token === undefined) return notFound('not_ours');
  // Revocations are kept no longer than the tokens that they concern.
  if (nowSeconds(deps.clock) >= token.expiresAt) return notFound('expired', token.jti);
  const [standing] = await deps.revocations.standings([token]);
  // Only a plain no of the store lets a token live.
  return standing === undefined || standing.isRevoked
    ? notFound('revoked', token.jti)
    : { found: true, state: { format: 'jwt', token: withClientExpiry(token, standing) } };
}

/** The token with what the store says of its client. */
export function withClientExpiry(token: AccessToken, { clientExpiresAt }: TokenStanding): AccessToken {
  return clientExpiresAt === undefined ? token : { ...token, clientExpiresAt };
}

/** There is no state, for a reason; `jti` where a signature was verified all the same. */
export function notFound(reason: InactiveReason, jti?: string): FoundToken {
  return { found: false, reason, ...(jti !== undefined && { jti }) };
}

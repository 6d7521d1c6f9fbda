import type { AudienceNames } from '@vestibule/clients/resource-servers';
import type { Digester } from '@vestibule/crypto/data-keys';
import { type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import type { AccessToken } from './access-token.js';
import type { AccessTokenStore } from './access-token-store.js';
import { type InactiveReason, whyUntimely } from './inactive-reason.js';
import type { RevocationStatus, RevocationStore } from './revocation/revocation-store.js';
import { readSelfContained, type SelfContainedTokenDeps } from './self-contained-token.js';
import { tokenSyntax } from './token-syntax.js';

/** The state of a token that exists and is not revoked, independent of caller and time. */
export interface TokenState {
  readonly format: 'identifier' | 'jwt';
  readonly token: AccessToken;
  /**
   * The serialized active response with all members, once it was sent. It depends only on the token. Before sending it,
   * check that the caller may see the token and all of its members.
   */
  serializedResponse?: string | undefined;
}

/** The state of a token, or the reason why there is none. */
export type FoundToken =
  | { readonly found: true; readonly state: TokenState }
  | {
      readonly found: false;
      readonly reason: InactiveReason;
      /** The `jti` of an inactive self-contained token whose signature was verified. */
      readonly jti?: string;
    };

/** Reads token states, with or without a cache. */
export interface TokenStates {
  /** Returns the state from the memory of this process; `undefined` when it has to be read. */
  cached(text: string): FoundToken | undefined;
  /**
   * Reads the state of a text that may be an access token. Rejects when a store fails, and when the token is not found
   * but may be stored under a digest key that cannot be opened.
   */
  read(text: string): Promise<FoundToken>;
  /**
   * Consumes an identifier-based token that is valid at `now` for the caller. Only one of any number of calls finds it.
   * Rejects like `read`.
   */
  claim(text: string, caller: AudienceNames, now: EpochSeconds): Promise<FoundToken>;
}

/** Dependencies of reading token states. */
export interface TokenStateDeps extends SelfContainedTokenDeps {
  readonly digester: Digester;
  readonly accessTokens: Pick<AccessTokenStore, 'find'>;
  readonly revocations: Pick<RevocationStore, 'statuses'>;
  /** The cache. Default: states are read from the stores. */
  readonly states?: Pick<TokenStates, 'read'>;
}

/** Reads the state of a text that may be an access token: through the cache if there is one, else from the stores. */
export function findTokenState(deps: TokenStateDeps, text: string): Promise<FoundToken> {
  return deps.states?.read(text) ?? readTokenState(deps, text);
}

/**
 * Reads the state of a text that may be an access token from the stores. The syntax determines the format; a text that cannot be a
 * token is not looked up. Rejects when a store fails: a fault never makes a token unknown.
 * @throws KeyEncryptionError when it is not found but may be stored under a digest key that cannot be opened
 */
export async function readTokenState(deps: TokenStateDeps, text: string): Promise<FoundToken> {
  switch (tokenSyntax(text)) {
    case 'jwt':
      return readJwtState(deps, text);
    case 'identifier': {
      const { digester, accessTokens } = deps;
      const token = await digester.find((digests) => accessTokens.find(digests('access-token', text)));
      return token === undefined
        ? notFound('unknown')
        : { found: true, state: { format: 'identifier', token } };
    }
    case 'impossible':
      return notFound('malformed');
  }
}

/** Reads a token that is live now: of our issuer, within its times and not revoked. The audience is not checked. */
export async function readLiveToken(deps: TokenStateDeps, text: string): Promise<AccessToken | undefined> {
  const read = await findTokenState(deps, text);
  if (!read.found) return undefined;
  const { token } = read.state;
  return whyUntimely(token, nowSeconds(deps.clock)) === undefined ? token : undefined;
}

/** Dependencies of consuming tokens. */
export interface TokenClaimDeps {
  readonly digester: Pick<Digester, 'find'>;
  readonly accessTokens: Pick<AccessTokenStore, 'claim' | 'find'>;
}

/**
 * Consumes an identifier-based token, if it is valid at `now` for the caller.
 * @throws KeyEncryptionError when it is not found but may be stored under a digest key that cannot be opened
 */
export async function claimToken(
  { digester, accessTokens }: TokenClaimDeps,
  text: string,
  { caller, now }: { readonly caller: AudienceNames; readonly now: EpochSeconds },
): Promise<FoundToken> {
  const found = await digester.find<FoundToken>(
    async (digests) => {
      const token = await accessTokens.claim(digests('access-token', text), caller, now);
      return token && { found: true, state: { format: 'identifier', token } };
    },
    // A token that exists but is not valid for the caller cannot be consumed, whether or not a key is missing.
    async (digests) => (await accessTokens.find(digests('access-token', text))) && notFound('unknown'),
  );
  return found ?? notFound('unknown');
}

async function readJwtState(deps: TokenStateDeps, text: string): Promise<FoundToken> {
  const token = await readSelfContained(deps, text);
  if (token === undefined) return notFound('not_ours');
  // Revocations are kept only as long as the tokens that they cover.
  if (nowSeconds(deps.clock) >= token.expiresAt) return notFound('expired', token.jti);
  const [status] = await deps.revocations.statuses([token]);
  // The token is live only if the store explicitly says that it is not revoked.
  return status === undefined || status.isRevoked
    ? notFound('revoked', token.jti)
    : { found: true, state: { format: 'jwt', token: withClientExpiry(token, status) } };
}

/** Adds the expiry of the client to a token. */
export function withClientExpiry(token: AccessToken, { clientExpiresAt }: RevocationStatus): AccessToken {
  return clientExpiresAt === undefined ? token : { ...token, clientExpiresAt };
}

/** Builds the result for a token without a state; with its `jti` if its signature was verified. */
export function notFound(reason: InactiveReason, jti?: string): FoundToken {
  return { found: false, reason, ...(jti !== undefined && { jti }) };
}

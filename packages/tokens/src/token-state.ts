import type { Digester } from '@vestibule/crypto';
import { nowSeconds } from '@vestibule/protocol';
import type { AccessToken } from './access-token.js';
import type { AccessTokenStore } from './access-token-store.js';
import type { RevocationStore } from './revocation-store.js';
import { readSelfContained, type SelfContainedTokenDeps } from './self-contained-token.js';
import { type InactiveReason, whyUntimely } from './token-decision.js';
import { tokenSyntax } from './token-syntax.js';

/** The state of a token that exists and is not revoked, whoever asks and whatever the time. */
export interface TokenState {
  readonly format: 'identifier' | 'jwt';
  readonly token: AccessToken;
}

/** The state of a token, or why there is none. */
export type FoundToken =
  | { readonly found: true; readonly state: TokenState }
  | { readonly found: false; readonly reason: InactiveReason };

/** What reading the state of a token takes. */
export interface TokenStateDeps extends SelfContainedTokenDeps {
  readonly digester: Digester;
  readonly accessTokens: Pick<AccessTokenStore, 'find'>;
  readonly revocations: Pick<RevocationStore, 'isRevoked'>;
}

/**
 * Reads the state of what may be an access token. The format is told from the text; what cannot be a token is not
 * looked up anywhere. A fault of a store is the caller's to see: it never makes a token unknown.
 */
export async function readTokenState(deps: TokenStateDeps, text: string): Promise<FoundToken> {
  switch (tokenSyntax(text)) {
    case 'jwt':
      return readJwtState(deps, text);
    case 'identifier': {
      const token = await deps.accessTokens.find(deps.digester.candidates('access-token', text));
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
  const read = await readTokenState(deps, text);
  if (!read.found) return undefined;
  const { token } = read.state;
  return whyUntimely(token, nowSeconds(deps.clock)) === undefined ? token : undefined;
}

async function readJwtState(deps: TokenStateDeps, text: string): Promise<FoundToken> {
  const token = await readSelfContained(deps, text);
  if (token === undefined) return notFound('not_ours');
  // Revocations are kept no longer than the tokens that they concern.
  if (nowSeconds(deps.clock) >= token.expiresAt) return notFound('expired');
  return (await deps.revocations.isRevoked(token))
    ? notFound('revoked')
    : { found: true, state: { format: 'jwt', token } };
}

function notFound(reason: InactiveReason): FoundToken {
  return { found: false, reason };
}

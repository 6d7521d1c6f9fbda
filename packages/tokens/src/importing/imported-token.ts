import type { EpochSeconds, Issuer } from '@vestibule/protocol';
import { formatScope } from '@vestibule/scopes';
import type { AccessToken } from '../access-token.js';
import type { AccessTokenGrant } from '../issuing/access-token-grant.js';

/** Kinds of tokens that can be imported. */
export const IMPORTED_TOKEN_KINDS = ['access', 'refresh'] as const;

export type ImportedTokenKind = (typeof IMPORTED_TOKEN_KINDS)[number];

/** A token that another authorization server has issued under our issuer identifier. */
export interface ImportedToken extends Omit<AccessTokenGrant, 'lifetimeSeconds' | 'authorizationId'> {
  readonly kind: ImportedTokenKind;
  readonly text: string;
  readonly issuedAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

/** Returns the state of an imported token, as for a token that is issued here. */
export function importedState({ kind: _, text: __, ...token }: ImportedToken, issuer: Issuer): AccessToken {
  const { scope, audience = [], ...rest } = token;
  return { ...rest, scope: formatScope(scope), audience: [...new Set(audience)], issuer };
}

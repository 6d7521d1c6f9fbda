import type { Digest } from '@vestibule/crypto/data-keys';
import type { EpochSeconds } from '@vestibule/protocol';
import type { AccessToken } from '../access-token.js';
import type { SelfContainedTokenFacts } from '../revocation/revocation-store.js';

/** What the stores still know of why a token is not active, each as a sentence for operators, never for callers. */
export const INACTIVE_CAUSES = {
  client_pending: 'Its client is waiting for approval.',
  client_suspended: 'Its client is suspended: none of its tokens is active until it is resumed.',
  client_unknown: 'Its client is not registered: it was deleted, or its registration has expired.',
  token_revoked: 'The token itself was revoked.',
  client_revoked: 'All tokens of its client were revoked.',
  subject_revoked: 'All tokens of its end-user were revoked.',
  session_revoked: 'All tokens of its session were revoked.',
  session_ended: 'Its session has ended.',
  issuer_revoked: 'All tokens that its issuer had issued until then were revoked.',
  revoked_before_import: 'It was revoked before another server sent it here, so that it stays inactive.',
  imported_expired: 'Another server sent it here, and it has expired.',
  imported_ended:
    'Another server sent it here. Since then it was revoked or consumed, or its client, end-user or session has ended.',
  refresh_token: 'It is a refresh token, which is not introspected.',
  initial_token: 'It is an initial access token, which is not introspected.',
  initial_token_expired: 'It is an initial access token, which has expired.',
  initial_token_used_up: 'It is an initial access token, whose uses are used up.',
} as const;

/** Something that makes a token inactive. */
export interface InactiveCause {
  readonly kind: keyof typeof INACTIVE_CAUSES;
  /** When it happened; absent if that is not stored. */
  readonly at?: EpochSeconds;
  /** The actor in audit records; absent if that is not recorded. */
  readonly actor?: string;
}

/** The digests of a text as a token of each kind, each under every available key. */
export interface TokenDigests {
  readonly access: readonly Digest[];
  readonly refresh: readonly Digest[];
  readonly initial: readonly Digest[];
}

/** What is known of an identifier-based token that introspection does not find. */
export interface LeftOutToken {
  /** The token, if it is stored and only its client prevents that it is active. */
  readonly token?: AccessToken;
  readonly causes: readonly InactiveCause[];
}

/** Reads why tokens are not active, for operators. Introspection reads less, with other statements. */
export interface InactiveTokenRecords {
  ofIdentifier(digests: TokenDigests, now: EpochSeconds): Promise<LeftOutToken>;
  /** Finds everything that revokes a self-contained token. */
  ofSelfContained(token: SelfContainedTokenFacts): Promise<readonly InactiveCause[]>;
}

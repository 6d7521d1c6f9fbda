import { ASYMMETRIC_ALGORITHMS, type AsymmetricAlgorithm, JWT_TYP } from '@vestibule/protocol/constants';

/** OpenID Federation 1.0, or the drafts before it (federation/API.md#profiles). */
export type Profile = 'final' | 'draft';

/**
 * Which registration requests of the draft profile are accepted: all as in federation/API.md#entity-statement, those
 * without `aud` only for clients that need no secret, only those with `aud`, or none. Anyone who has read a published
 * statement can post it as a request without `aud`.
 */
export const DRAFT_PROFILE_USES = ['accepted', 'keys_only', 'audience_required', 'refused'] as const;

/** Which registration requests of the draft profile are accepted. */
export type DraftProfileUse = (typeof DRAFT_PROFILE_USES)[number];

/** The rules by which a statement is parsed. */
export interface StatementRules {
  readonly profile: Profile;
  /** Hosts whose entity identifiers may use http, only for development and tests. */
  readonly allowHosts: readonly string[];
}

/** The rules of a profile for statements. */
export interface ProfileRules {
  /**
   * The algorithms that may sign a statement (federation/API.md#entity-statement lists those of the draft profile).
   */
  readonly algorithms: readonly AsymmetricAlgorithm[];
  /** The `typ` headers of an entity statement; `undefined` means none. */
  readonly types: readonly (string | undefined)[];
  /** Whether statements and keys require a key identifier (OpenID Federation 1.0 section 3.1). */
  readonly needsKeyIds: boolean;
  /** Whether claims of the other kind of statement are refused. */
  readonly isStrict: boolean;
}

/** The rules of each profile. */
export const PROFILE_RULES: Readonly<Record<Profile, ProfileRules>> = {
  final: {
    algorithms: ASYMMETRIC_ALGORITHMS,
    types: [JWT_TYP.entityStatement],
    needsKeyIds: true,
    isStrict: true,
  },
  draft: {
    algorithms: ASYMMETRIC_ALGORITHMS.filter((name) => !name.startsWith('Ed')),
    types: [undefined, 'JWT', JWT_TYP.entityStatement],
    needsKeyIds: false,
    isStrict: false,
  },
};

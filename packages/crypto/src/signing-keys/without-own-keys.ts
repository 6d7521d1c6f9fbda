import type { KeyHint, VerificationKeySource } from '../jwt/jose-keys.js';
import type { FollowedKeySet } from '../public-keys/followed-key-set.js';
import type { KeyRing } from './key-ring.js';

/** The key set of another authorization server with our issuer, without every key that is or ever was ours. */
export interface OtherServerKeys extends Omit<FollowedKeySet, 'publishedKeys'> {
  /**
   * Finds the keys of the other server that may verify a token. None for a token that names a key of ours.
   * @throws KeySetUnavailableError when its key set could not be read. Errors of our key ring are passed on
   */
  readonly verificationKeys: VerificationKeySource;
  /** Whether a token names a key of the other server that was found before, so that it is not signed with ours. */
  readonly isTheirs: (hint: KeyHint) => boolean;
}

/** The keys of the other server, as readers of tokens use them. */
export type OtherServerSigners = Pick<OtherServerKeys, 'verificationKeys' | 'isTheirs'>;

/**
 * Leaves our keys out of the key set of another server, which may publish copies of them for its clients. So a copy
 * never widens what our key verifies, and verifies nothing once the key is withdrawn here. Our ring is read once after
 * each change of the set, because a copy is published after its key was stored here.
 */
export function withoutOwnKeys(
  { publishedKeys, ...theirs }: FollowedKeySet,
  ours: Pick<KeyRing, 'hasEverHeld' | 'refresh'>,
): OtherServerKeys {
  /** Thumbprints of published keys that our ring was read after. */
  let compared = new Set<string>();
  /** Key ids of keys that are not ours. */
  let theirKids = new Set<string>();
  theirs.onChange(() => {
    compared = new Set();
    theirKids = new Set();
  });
  const isOurs = (kid: string | undefined) => kid !== undefined && ours.hasEverHeld(kid);
  return {
    ...theirs,
    verificationKeys: async (hint) => {
      if (isOurs(hint.kid)) return [];
      const published = await publishedKeys(hint);
      const [known, kids] = [compared, theirKids];
      if (published.some(({ thumbprint }) => !known.has(thumbprint))) await ours.refresh();
      for (const { thumbprint } of published) known.add(thumbprint);
      // A copy may have another `kid`.
      const keys = published.filter(({ thumbprint }) => !ours.hasEverHeld(thumbprint));
      if (hint.kid !== undefined && keys.length > 0) kids.add(hint.kid);
      return keys;
    },
    isTheirs: ({ kid }) => kid !== undefined && theirKids.has(kid) && !isOurs(kid),
  };
}

/** Our keys, which are not looked up, and so not read again, for a token that names a key of the other server. */
export function ownKeysBeside(
  ours: Pick<KeyRing, 'verificationKeys'>,
  theirs: OtherServerSigners | undefined,
): Pick<KeyRing, 'verificationKeys'> {
  return {
    verificationKeys: async (hint) => (theirs?.isTheirs(hint) ? [] : ours.verificationKeys(hint)),
  };
}

/** Finds our keys that may verify a token; if there are none, those of the other server. */
export function keysOfBothServers(
  ours: Pick<KeyRing, 'verificationKeys'>,
  theirs: OtherServerSigners | undefined,
): VerificationKeySource {
  const { verificationKeys } = ownKeysBeside(ours, theirs);
  return async (hint) => {
    const own = await verificationKeys(hint);
    return own.length > 0 ? own : ((await theirs?.verificationKeys(hint)) ?? []);
  };
}

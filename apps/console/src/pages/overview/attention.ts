import type { Client } from '@vestibule/clients';
import type { StoredSigningKey } from '@vestibule/crypto/signing-keys';
import type { Store } from '@vestibule/database';
import type { EndingToken, WaitingWork } from '@vestibule/database/activity-records';
import { type EpochSeconds, epochSeconds, nowSeconds } from '@vestibule/protocol';
import type { FiringAlert } from '../../figures/figures.js';
import type { Measured, OverviewFigures } from '../../figures/overview-figures.js';

/** Why a key pair needs an operator. */
export type KeyOccasion = 'ends' | 'old' | 'pending';

/** A key pair that needs an operator. */
export interface KeyToLookAt {
  readonly key: StoredSigningKey;
  readonly occasion: KeyOccasion;
}

/** What needs a person. */
export interface Attention {
  readonly waiting: WaitingWork;
  /** The clients that have waited longest for approval, at most {@link SHOWN}. */
  readonly pending: readonly Client[];
  /** Initial access tokens that end within a week, at most one more than {@link SHOWN}. */
  readonly endingTokens: readonly EndingToken[];
  /** At most 10. */
  readonly keys: readonly KeyToLookAt[];
  readonly alerts: Measured<readonly FiringAlert[]>;
}

/** How many of each kind are named. */
export const SHOWN = 3;

/** There are few keys, unless a script generates them in a loop. */
const MAX_KEYS = 10;

const DAY_S = 86_400;
/** A token or key that ends within this time is shown. */
const SOON_S = 7 * DAY_S;
/** A key that has signed for longer is due for a rotation. */
const OLD_S = 365 * DAY_S;
/** A rotation takes hours: a key that has been pending for longer was forgotten. */
const FORGOTTEN_S = 7 * DAY_S;

/** Reads what needs a person, without counting anything completely. */
export async function readAttention(
  { database, clock }: Pick<Store, 'database' | 'clock'>,
  overview: Pick<OverviewFigures, 'waiting' | 'alerts'>,
): Promise<Attention> {
  const now = nowSeconds(clock);
  const [waiting, { clients: pending }, endingTokens, alerts, ...keySets] = await Promise.all([
    overview.waiting(),
    database.clients.page({ now, filter: { status: 'pending' } }, SHOWN),
    database.activity.endingTokens({ from: now, to: epochSeconds(now + SOON_S) }, SHOWN + 1),
    overview.alerts(),
    database.signingKeys.list('provider', now),
    database.signingKeys.list('federation', now),
  ]);
  const keys = keySets.flat().flatMap((key): readonly KeyToLookAt[] => {
    const occasion = occasionOf(key, now);
    return occasion === undefined ? [] : [{ key, occasion }];
  });
  return { waiting, pending, endingTokens, keys: keys.slice(0, MAX_KEYS), alerts };
}

function occasionOf(
  { state, createdAt, activatedAt, expiresAt }: StoredSigningKey,
  now: EpochSeconds,
): KeyOccasion | undefined {
  if (expiresAt !== undefined && expiresAt - now <= SOON_S) return 'ends';
  if (state === 'active' && now - (activatedAt ?? createdAt) > OLD_S) return 'old';
  return state === 'pending' && now - createdAt > FORGOTTEN_S ? 'pending' : undefined;
}

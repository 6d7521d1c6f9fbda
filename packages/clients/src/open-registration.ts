import {
  type EpochSeconds,
  type ExtensionGrantType,
  epochSeconds,
  type GrantType,
  nowSeconds,
} from '@vestibule/protocol';
import { type LimitedRegistrationRights, OPEN_RIGHTS } from '@vestibule/scopes';
import type { Client } from './client.js';
import type { RegistrationDeps } from './registration-deps.js';
import type { RegistrationSettings } from './registration-settings.js';

/** What an operator decides about registrations that anyone may make. Times are whole seconds. */
export interface OpenRegistrationSettings {
  /**
   * How long such a registration waits for its first use; approving it starts the time anew. 0, the default: for
   * ever.
   */
  readonly unusedLifetimeSeconds: number;
  /**
   * The most of them that were never used, of which each network may hold no more than it leaves room for; beyond it
   * no one registers without a token. 0: any number. Default 10,000.
   */
  readonly maxUnused: number;
  /** How long their secrets are valid. 0, the default: as those of others. */
  readonly secretLifetimeSeconds: number;
  /** Whether each of them waits for approval, and again whenever its registrant has changed it. Default false. */
  readonly needsApproval: boolean;
  /** Extension grant types that they may have besides. Default none. */
  readonly extensionGrantTypes: readonly ExtensionGrantType[];
  /** Values that they may name in `scope`. Default none. */
  readonly scopeValues: readonly string[];
  /** Whether what they may not have is left out, instead of refused, in their updates too. Default false. */
  readonly omitsExcess: boolean;
}

/** Every setting at its default. */
export const DEFAULT_OPEN_REGISTRATION_SETTINGS: OpenRegistrationSettings = {
  unusedLifetimeSeconds: 0,
  maxUnused: 10_000,
  secretLifetimeSeconds: 0,
  needsApproval: false,
  extensionGrantTypes: [],
  scopeValues: [],
  omitsExcess: false,
};

/**
 * What anyone may register where open registration is on: the rights of registration/API.md#modes, and the listed
 * extension grants and scope values.
 */
export function openRights({
  openRegistrations: { extensionGrantTypes, scopeValues },
}: Pick<RegistrationSettings, 'openRegistrations'>): LimitedRegistrationRights {
  const grantTypes = new Set<GrantType>([...OPEN_RIGHTS.grantTypes, ...extensionGrantTypes]);
  return { ...OPEN_RIGHTS, grantTypes, scopeValues: new Set(scopeValues) };
}

type TermDeps = Pick<RegistrationDeps, 'clock' | 'settings'>;

/** How an open registration begins. */
export function openStanding(deps: TermDeps): Pick<Client, 'origin' | 'status' | 'expiresAt'> {
  return {
    origin: 'open_registration',
    status: deps.settings.openRegistrations.needsApproval ? 'pending' : 'active',
    ...renewedTerm(deps),
  };
}

/**
 * Whether a client waits for approval again when its registrant changes it: what nobody has looked at is not
 * approved.
 */
export function needsApprovalAgain({ settings }: TermDeps, { origin }: Client): boolean {
  return origin === 'open_registration' && settings.openRegistrations.needsApproval;
}

/** The end of a registration that is approved, where it waits for its first use; nothing for others. */
export function renewedExpiry(
  deps: TermDeps,
  { origin, lastUsedAt, expiresAt }: Client,
): { readonly expiresAt?: EpochSeconds } {
  const isWaiting = origin === 'open_registration' && lastUsedAt === undefined && expiresAt !== undefined;
  return isWaiting ? renewedTerm(deps) : {};
}

function renewedTerm({ clock, settings }: TermDeps): { readonly expiresAt?: EpochSeconds } {
  const lifetime = settings.openRegistrations.unusedLifetimeSeconds;
  return lifetime === 0 ? {} : { expiresAt: epochSeconds(nowSeconds(clock) + lifetime) };
}

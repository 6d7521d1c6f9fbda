import { type Clock, type EpochSeconds, epochSeconds, nowSeconds } from '@vestibule/protocol';
import type { ExtensionGrantType, GrantType } from '@vestibule/protocol/constants';
import { type LimitedGrantedScopes, OPEN_SCOPES } from '@vestibule/scopes';
import type { Client } from '../client.js';

/** Settings of open registrations. Times are whole seconds. */
export interface OpenRegistrationSettings {
  /** How long such a client stays without a first use; an approval restarts the time. Default 0: for ever. */
  readonly unusedLifetimeSeconds: number;
  /**
   * Maximum number of unused ones, of which each network may hold at most as many as the cap leaves room for. Beyond
   * it, registration needs a token. 0: no limit. Default 10,000.
   */
  readonly maxUnused: number;
  /** Lifetime of their secrets. Default 0: that of other secrets. */
  readonly secretLifetimeSeconds: number;
  /** Whether they wait for approval, and again after each change by the registrant. Default false. */
  readonly needsApproval: boolean;
  /** What anyone may register (registration/API.md#modes). Default `OPEN_SCOPES`. */
  readonly grantedScopes: LimitedGrantedScopes;
  /**
   * Whether the response to a registration that repeats an earlier one is the same client. Only for clients that do not
   * authenticate, which then have no registration access token. Default false.
   */
  readonly sharesIdentical: boolean;
  /** Whether anything beyond their granted scopes is left out instead of refused, in updates too. Default false. */
  readonly omitsExcess: boolean;
}

/** The default settings. */
export const DEFAULT_OPEN_REGISTRATION_SETTINGS: OpenRegistrationSettings = {
  unusedLifetimeSeconds: 0,
  maxUnused: 10_000,
  secretLifetimeSeconds: 0,
  needsApproval: false,
  grantedScopes: OPEN_SCOPES,
  sharesIdentical: false,
  omitsExcess: false,
};

/**
 * Builds the granted scopes of open registration with additional extension grant types and permitted values of `scope`.
 */
export function openGrantedScopes(
  extensionGrantTypes: readonly ExtensionGrantType[],
  scopeValues: readonly string[],
): LimitedGrantedScopes {
  const grantTypes = new Set<GrantType>([...OPEN_SCOPES.grantTypes, ...extensionGrantTypes]);
  return { ...OPEN_SCOPES, grantTypes, scopeValues: new Set(scopeValues) };
}

interface TermDeps {
  readonly clock: Clock;
  readonly settings: { readonly openRegistrations: OpenRegistrationSettings };
}

/** Initial origin, status and expiry of an open registration. */
export function initialOpenState(deps: TermDeps): Pick<Client, 'origin' | 'status' | 'expiresAt'> {
  return {
    origin: 'open_registration',
    status: deps.settings.openRegistrations.needsApproval ? 'pending' : 'active',
    ...renewedTerm(deps),
  };
}

/**
 * Whether a client waits for approval again after a change by its registrant, so that an approval covers only what was
 * reviewed.
 */
export function needsApprovalAgain({ settings }: TermDeps, { origin }: Client): boolean {
  return origin === 'open_registration' && settings.openRegistrations.needsApproval;
}

/** The new expiry of an approved registration that waits for its first use; empty for others. */
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

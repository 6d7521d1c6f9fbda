import { ThrottledError } from '@vestibule/protocol';
import type { ManagedClient } from '../authorize-management.js';
import type { RegistrationAuthority } from '../registration-authority.js';
import type { RateLimitStore } from './rate-limit-store.js';

/** How many registrations, updates, and looks outside of updates may be tried in an hour; 0 is no limit. */
export interface RegistrationLimitSettings {
  /** Without a token, from one network. */
  readonly perNetwork: number;
  /** Without a token, of one `software_id`. */
  readonly perSoftware: number;
  /** Without a token, altogether. */
  readonly overall: number;
  /** With one initial access token. */
  readonly perInitialToken: number;
  /** Updates, patches and dry runs of both among them, with the registration access tokens of one client. */
  readonly perClient: number;
  /** Updates that read a sector document, with the registration access tokens of one client. */
  readonly perSector: number;
}

/** Decides whether a registration or an update may be tried now. The master token and operators are never limited. */
export interface RegistrationLimits {
  /**
   * Counts a request by its credential, before its body is read.
   * @param network what the caller's address belongs to
   * @throws ThrottledError
   */
  admitCaller(authority: RegistrationAuthority, network: string): Promise<void>;
  /**
   * Counts a registration without a token by the software that it is of; one without `software_id` is not counted.
   * @throws ThrottledError
   */
  admitSoftware(authority: RegistrationAuthority, softwareId: string | undefined): Promise<void>;
  /**
   * Judges a dry run of a registration as {@link admitSoftware} would judge the registration; counts nothing.
   * @throws ThrottledError
   */
  checkSoftware(authority: RegistrationAuthority, softwareId: string | undefined): Promise<void>;
  /**
   * Counts an update or patch, in a dry run too, by its client, before its body is read: each that succeeds leaves a
   * record and an earlier secret, and to be refused is to cost little.
   * @throws ThrottledError
   */
  admitUpdate(managed: ManagedClient): Promise<void>;
  /**
   * Counts an update, in a dry run too, that makes us read the document at `sector_identifier_uri`, by its client.
   * @throws ThrottledError
   */
  admitSectorCheck(managed: ManagedClient): Promise<void>;
}

const HOUR_MS = 3_600_000;

/** What a limit is about, in the order in which requests are counted. */
type Subject = readonly [name: string, limit: number, subject: string];

/**
 * Limits by counters of a store. A request that one limit refuses is not counted by those after it, so that one network
 * cannot use up what belongs to all. Where the store does not know, requests pass.
 */
export function registrationLimits(
  store: RateLimitStore,
  settings: RegistrationLimitSettings,
): RegistrationLimits {
  const admit = async (subjects: readonly Subject[], judge: keyof RateLimitStore = 'count') => {
    for (const [name, limit, subject] of subjects) {
      if (limit === 0) continue;
      const outcome = await store[judge]({ name, limit, windowMs: HOUR_MS }, subject);
      if (outcome.outcome === 'exceeded')
        throw new ThrottledError(outcome.retryAfterSeconds, `the limit ${name} is reached`);
    }
  };
  const admitClient = async (name: string, limit: number, { client, registrationToken }: ManagedClient) => {
    if (registrationToken !== undefined) await admit([[name, limit, client.id]]);
  };
  const softwareSubjects = ({ kind }: RegistrationAuthority, softwareId: string | undefined): Subject[] =>
    kind === 'anonymous' && softwareId !== undefined
      ? [['open-registration-software', settings.perSoftware, softwareId]]
      : [];
  return {
    admitCaller: async ({ kind, spends }, network) => {
      if (kind === 'anonymous')
        await admit([
          ['open-registration-network', settings.perNetwork, network],
          ['open-registration-overall', settings.overall, ''],
        ]);
      const [digest] = spends ?? [];
      if (digest !== undefined)
        await admit([
          ['initial-token-registration', settings.perInitialToken, Buffer.from(digest).toString('base64url')],
        ]);
    },
    admitSoftware: (authority, softwareId) => admit(softwareSubjects(authority, softwareId)),
    checkSoftware: (authority, softwareId) => admit(softwareSubjects(authority, softwareId), 'peek'),
    admitUpdate: (managed) => admitClient('client-update', settings.perClient, managed),
    admitSectorCheck: (managed) => admitClient('sector-check', settings.perSector, managed),
  };
}

import { ThrottledError } from '@vestibule/protocol';
import type { RateLimitStore } from '@vestibule/protocol/rate-limits';
import type { ManagedClient } from '../managed-client.js';
import type { RegistrationAuthority } from './registration-authority.js';

/** Hourly limits of registrations, updates and sector checks; 0 for no limit. */
export interface RegistrationLimitSettings {
  /** Without a token, from one network. */
  readonly perNetwork: number;
  /** Without a token, of one `software_id`. */
  readonly perSoftware: number;
  /** Without a token, in total. */
  readonly overall: number;
  /** With one initial access token. */
  readonly perInitialToken: number;
  /** Updates, patches and their dry runs with the registration access tokens of one client. */
  readonly perClient: number;
  /** Updates that fetch a sector document, with the registration access tokens of one client. */
  readonly perSector: number;
}

/** Rate limits of registrations and updates. The master token and operators are never limited. */
export interface RegistrationLimits {
  /**
   * Counts a request by its credential before the body is read.
   * @param network network of the caller's address
   * @throws ThrottledError
   */
  admitCaller(authority: RegistrationAuthority, network: string): Promise<void>;
  /**
   * Counts a registration without a token by its `software_id`, if it has one.
   * @throws ThrottledError
   */
  admitSoftware(authority: RegistrationAuthority, softwareId: string | undefined): Promise<void>;
  /**
   * Checks a dry run as {@link admitSoftware} would check the registration, without counting.
   * @throws ThrottledError
   */
  checkSoftware(authority: RegistrationAuthority, softwareId: string | undefined): Promise<void>;
  /**
   * Counts an update or patch by its client, dry runs included, before the body is read: each success leaves an audit
   * record and a previous secret, and a refusal should cost little.
   * @throws ThrottledError
   */
  admitUpdate(managed: ManagedClient): Promise<void>;
  /**
   * Counts an update that fetches the document at `sector_identifier_uri`, by its client, dry runs included.
   * @throws ThrottledError
   */
  admitSectorCheck(managed: ManagedClient): Promise<void>;
}

const HOUR_MS = 3_600_000;

/** A limit and its subject. The order of the list is the order of counting. */
type Subject = readonly [name: string, limit: number, subject: string];

/**
 * Limits over the counters of a store. A request refused by one limit is not counted by later ones, so one network
 * cannot use up the total. If the store cannot tell, requests pass.
 */
export function registrationLimits(
  store: RateLimitStore,
  settings: RegistrationLimitSettings,
): RegistrationLimits {
  const admit = async (subjects: readonly Subject[], evaluate: keyof RateLimitStore = 'count') => {
    for (const [name, limit, subject] of subjects) {
      if (limit === 0) continue;
      const outcome = await store[evaluate]({ name, limit, windowMs: HOUR_MS }, subject);
      if (outcome.outcome === 'exceeded')
        throw new ThrottledError(outcome.retryAfterSeconds, `the limit ${name} is reached`);
    }
  };
  const admitClient = async (name: string, limit: number, { client, registrationToken }: ManagedClient) => {
    if (registrationToken !== undefined) await admit([[name, limit, client.id]]);
  };
  const callerSubjects = (authority: RegistrationAuthority, network: string): Subject[] => {
    switch (authority.kind) {
      case 'anonymous':
        return [
          ['open-registration-network', settings.perNetwork, network],
          ['open-registration-overall', settings.overall, ''],
        ];
      case 'initial_access_token': {
        const [digest] = authority.consumes;
        const subject = digest && Buffer.from(digest).toString('base64url');
        return subject ? [['initial-token-registration', settings.perInitialToken, subject]] : [];
      }
      default:
        return [];
    }
  };
  const softwareSubjects = ({ kind }: RegistrationAuthority, softwareId: string | undefined): Subject[] =>
    kind === 'anonymous' && softwareId !== undefined
      ? [['open-registration-software', settings.perSoftware, softwareId]]
      : [];
  return {
    admitCaller: (authority, network) => admit(callerSubjects(authority, network)),
    admitSoftware: (authority, softwareId) => admit(softwareSubjects(authority, softwareId)),
    checkSoftware: (authority, softwareId) => admit(softwareSubjects(authority, softwareId), 'peek'),
    admitUpdate: (managed) => admitClient('client-update', settings.perClient, managed),
    admitSectorCheck: (managed) => admitClient('sector-check', settings.perSector, managed),
  };
}

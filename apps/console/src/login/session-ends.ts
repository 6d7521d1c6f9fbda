import type { Digester } from '@vestibule/crypto/data-keys';
import { type Clock, epochSeconds, nowSeconds } from '@vestibule/protocol';
import type { UpstreamLogout } from '@vestibule/service/upstream';
import type { ProviderRecords } from '@vestibule/tokens/provider';
import type { SessionContent } from './session-cookie.js';

/** The ends of sessions of the console, which every instance reads at each request. */
export interface SessionEnds {
  /** Ends the session of a browser. */
  endOwn(session: SessionContent): Promise<void>;
  /** Ends the sessions of a login at the provider, or all of a person, as its logout token says. */
  endOfLogout(logout: UpstreamLogout): Promise<void>;
  /**
   * Whether a session has ended before its time.
   * @throws Error if that cannot be known
   */
  hasEnded(session: SessionContent): Promise<boolean>;
  /**
   * Whether the store contains the session at the provider, so that its end is seen there without a notification: ours does,
   * and so does a server that has joined it.
   */
  isStored(sid: string): Promise<boolean>;
}

/** Dependencies of {@link sessionEnds}. */
export interface SessionEndsDeps {
  readonly records: {
    readonly artifacts: Pick<ProviderRecords['artifacts'], 'save' | 'find'>;
    readonly sessions: Pick<ProviderRecords['sessions'], 'identify'>;
  };
  readonly digester: Digester;
  readonly clock: Clock;
  /** The client of the console at the provider. */
  readonly clientId: string;
  /** How long sessions last at most, and therefore ends are kept. */
  readonly sessionSeconds: number;
}

/** The kind of the records. */
const KIND = 'ConsoleSessionEnd';
/** Instances may differ in what time it is, and in this setting while it changes. */
const MARGIN_SECONDS = 86_400;

/** Keeps the ends in the store, under digests of what they are about, for as long as a session could last. */
export function sessionEnds(deps: SessionEndsDeps): SessionEnds {
  const { records, digester, clock, clientId, sessionSeconds } = deps;
  const end = (name: string) =>
    records.artifacts.save(
      {
        kind: KIND,
        digest: digester.digest('artifact', name),
        payload: { endedAtMs: clock.nowMs() },
        expiresAt: epochSeconds(nowSeconds(clock) + sessionSeconds + MARGIN_SECONDS),
      },
      digester.availableDigests('artifact', name),
    );
  /** When the sessions of that name ended, in milliseconds. */
  const endOf = async (name: string): Promise<number | undefined> => {
    const found = await digester.find((digests) =>
      records.artifacts.find(KIND, digests('artifact', name), nowSeconds(clock)),
    );
    const at = found?.payload['endedAtMs'];
    return typeof at === 'number' ? at : undefined;
  };
  const isStored = async (sid: string) =>
    (await records.sessions.identify(sid, clientId, nowSeconds(clock))) !== undefined;
  return {
    endOwn: ({ id }) => end(ownName(id)),
    // A token with both names ends that session alone (OpenID Connect Back-Channel Logout 1.0 section 2.4).
    endOfLogout: async ({ issuer, sid, subject }) => {
      if (sid !== undefined) await end(sidName(issuer, sid));
      else if (subject !== undefined) await end(subjectName(issuer, subject));
    },
    hasEnded: async ({ id, issuer, sid, operator, loggedInAtMs, isStored: wasStored }) => {
      const hasLeftStore = async () => sid !== undefined && wasStored && !(await isStored(sid));
      const [own, ofSid, ofSubject, isGone] = await Promise.all([
        endOf(ownName(id)),
        sid === undefined ? undefined : endOf(sidName(issuer, sid)),
        endOf(subjectName(issuer, operator.subject)),
        hasLeftStore(),
      ]);
      const isOfPerson = ofSubject !== undefined && ofSubject >= loggedInAtMs;
      return own !== undefined || ofSid !== undefined || isOfPerson || isGone;
    },
    isStored,
  };
}

function ownName(id: string): string {
  return JSON.stringify(['console', id]);
}

function sidName(issuer: string, sid: string): string {
  return JSON.stringify(['sid', issuer, sid]);
}

function subjectName(issuer: string, subject: string): string {
  return JSON.stringify(['sub', issuer, subject]);
}

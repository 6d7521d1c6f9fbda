import { unkeyedDigest } from '@vestibule/crypto/data-keys';
import { type Clock, epochSeconds, nowSeconds } from '@vestibule/protocol';
import type { UpstreamLogout } from '@vestibule/service/upstream';
import type { ProviderRecords } from '@vestibule/tokens/provider';
import type { SessionContent } from './session-cookie.js';

/** The ends of sessions of the console, which every instance reads at each request. */
export interface SessionEnds {
  /** Ends the session of a browser. */
  endOwn(session: SessionContent): Promise<void>;
  /**
   * Ends what the logout token of a provider names: the sessions with its `sid`, or, without one, all of the person. A
   * session whose ID token had no `sid` cannot be distinguished from the one that has ended, so it ends too: with a `sub`
   * in the logout token the sessions of that person without `sid`, without a `sub` all sessions of the provider without
   * `sid`.
   */
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

/**
 * Keeps the ends in the store, under digests of what they are about, for as long as a session could last. The digests have
 * no key: a session whose end is stored must not come back when a digest key is retired, and none of the names is a
 * credential.
 */
export function sessionEnds({ records, clock, clientId, sessionSeconds }: SessionEndsDeps): SessionEnds {
  const end = (name: EndName) =>
    records.artifacts.save(
      {
        kind: KIND,
        digest: digestOf(name),
        payload: { endedAtMs: clock.nowMs() },
        expiresAt: epochSeconds(nowSeconds(clock) + sessionSeconds + MARGIN_SECONDS),
      },
      [],
    );
  /** When the sessions of that name ended, in milliseconds. */
  const endOf = async (name: EndName): Promise<number | undefined> => {
    const found = await records.artifacts.find(KIND, [digestOf(name)], nowSeconds(clock));
    const at = found?.payload['endedAtMs'];
    return typeof at === 'number' ? at : undefined;
  };
  const isStored = async (sid: string) =>
    (await records.sessions.identify(sid, clientId, nowSeconds(clock))) !== undefined;
  const hasLeftStore = async ({ sid, isStored: wasStored }: SessionContent) =>
    sid !== undefined && wasStored && !(await isStored(sid));
  return {
    endOwn: ({ id }) => end(['console', id]),
    endOfLogout: async (logout) => {
      await Promise.all(namesOfLogout(logout).map(end));
    },
    hasEnded: async (session) => {
      const { final, recurring } = namesOfSession(session);
      const [ended, endedAtMs, isGone] = await Promise.all([
        Promise.all(final.map(endOf)),
        Promise.all(recurring.map(endOf)),
        hasLeftStore(session),
      ]);
      const isOver = ended.some((at) => at !== undefined);
      return isOver || isGone || endedAtMs.some((at) => at !== undefined && at >= session.loggedInAtMs);
    },
    isStored,
  };
}

/** What an end is about: a session of the console, or sessions by what their ID tokens have. */
type EndName =
  | readonly ['console', id: string]
  | readonly ['sid', issuer: string, sid: string]
  | readonly ['sub', issuer: string, subject: string]
  | readonly ['sub without sid', issuer: string, subject: string]
  | readonly ['without sid', issuer: string];

function digestOf(name: EndName) {
  return unkeyedDigest('artifact', JSON.stringify(name));
}

/** A token with both names ends one session, not all of the person (OpenID Connect Back-Channel Logout 1.0 section 2.4). */
function namesOfLogout({ issuer, sid, subject }: UpstreamLogout): readonly EndName[] {
  if (sid === undefined) return subject === undefined ? [] : [['sub', issuer, subject]];
  return [
    ['sid', issuer, sid],
    subject === undefined ? ['without sid', issuer] : ['sub without sid', issuer, subject],
  ];
}

/** The names that end a session: those of this session alone, and those that later sessions have too. */
function namesOfSession({ id, issuer, sid, operator: { subject } }: SessionContent): {
  readonly final: readonly EndName[];
  readonly recurring: readonly EndName[];
} {
  const ofPerson: EndName = ['sub', issuer, subject];
  return sid === undefined
    ? {
        final: [['console', id]],
        recurring: [ofPerson, ['sub without sid', issuer, subject], ['without sid', issuer]],
      }
    : {
        final: [
          ['console', id],
          ['sid', issuer, sid],
        ],
        recurring: [ofPerson],
      };
}

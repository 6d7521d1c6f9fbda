import type { KeyRing } from '@vestibule/crypto';
import { type FactName, SIGNING_KEYS_FACT } from '../fact-name.js';
import type { MonotonicClock, RevocationFeed } from '../revocation-feed.js';
import type { AnnouncementLog, ReadMark } from './announcement-log.js';

/** What knowing the present keys takes. */
export interface CurrentKeysOptions {
  readonly keys: Pick<KeyRing, 'verificationKeys' | 'refresh'>;
  readonly log: AnnouncementLog;
  readonly feed: RevocationFeed;
  readonly monotonic: MonotonicClock;
  /** How long after they were read keys count where nothing proves that they are the present ones, in milliseconds. */
  readonly maxAgeMs: number;
}

const NAMES: readonly FactName[] = [SIGNING_KEYS_FACT];

/**
 * The keys of a ring that verify at present: of a key that was withdrawn or added, as soon as that is announced. The
 * ring is then read again, and who asks meanwhile waits for that; when reading fails the fault is the caller's. So what
 * the keys of before said is older than the announcement, and nothing remembers it.
 */
export function currentKeys(options: CurrentKeysOptions): Pick<KeyRing, 'verificationKeys'> {
  const { keys, log, feed, monotonic, maxAgeMs } = options;
  /** When reading began of the keys that the ring holds. */
  let read: ReadMark | undefined;
  /** Counts until then: whoever filled the ring did so before anything was heard here. */
  const begun = log.mark();
  let reading: { readonly mark: ReadMark; readonly done: Promise<void> } | undefined;

  const areCurrent = (mark: ReadMark) =>
    log.isCurrent(monotonic()) && log.isIntact(mark, NAMES)
      ? true
      : monotonic() - mark.atMs < maxAgeMs && !log.isContradicted(mark, NAMES);
  const readAgain = (): Promise<void> => {
    if (reading !== undefined && areCurrent(reading.mark)) return reading.done;
    const mark = log.mark();
    const readKeys = async () => {
      await keys.refresh();
      if (read === undefined || read.sequence <= mark.sequence) read = mark;
    };
    const own = {
      mark,
      done: readKeys().finally(() => {
        if (reading === own) reading = undefined;
      }),
    };
    reading = own;
    return own.done;
  };
  feed.subscribe({
    onStarted: () => undefined,
    // So that who signs with the ring, or asks it next, need not wait.
    onAnnouncement: () => {
      if (log.isContradicted(read ?? begun, NAMES)) readAgain().catch(() => undefined);
    },
    onLost: () => undefined,
  });
  return {
    verificationKeys: async (hint) => {
      if (read === undefined || !areCurrent(read)) await readAgain();
      return keys.verificationKeys(hint);
    },
  };
}

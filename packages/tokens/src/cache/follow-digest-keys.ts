import { sharedRuns } from '@vestibule/protocol';
import { DATA_KEYS_FACT } from '../fact-name.js';
import type { RevocationFeed } from '../revocation-feed.js';
import type { AnnouncementLog } from './announcement-log.js';
import type { Scheduler } from './batched-reads.js';

/** What following the keys for digests takes. */
export interface FollowedDigestKeys {
  readonly feed: RevocationFeed;
  readonly log: Pick<AnnouncementLog, 'distrustEverything'>;
  readonly scheduler: Pick<Scheduler, 'after'>;
  /** Reads the keys again, and gives how often they have changed since they were opened. */
  readonly refresh: () => Promise<number>;
}

const RETRY_MS = 250;

/**
 * Reads the keys for digests again as soon as a change of them is announced, and whenever announcements begin, since a
 * change may have been missed before. If they have changed, what was read by those of before is distrusted: a token
 * that is stored under a retired key is known no more. It goes on trying for as long as announcements come.
 */
export function followDigestKeys({ feed, log, scheduler, refresh }: FollowedDigestKeys): void {
  let isStarted = false;
  let knownChanges = 0;
  const runs = sharedRuns(async () => {
    const changes = await refresh();
    if (changes === knownChanges) return;
    knownChanges = changes;
    log.distrustEverything();
  });
  const read = () => {
    if (isStarted) runs.next().catch(() => scheduler.after(RETRY_MS, read));
  };
  feed.subscribe({
    onStarted: () => {
      isStarted = true;
      read();
    },
    onAnnouncement: (announcement) => {
      if (announcement.kind === 'facts' && announcement.names.includes(DATA_KEYS_FACT)) read();
    },
    onLost: () => {
      isStarted = false;
    },
  });
}

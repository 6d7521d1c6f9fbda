import type { EpochSeconds } from '@vestibule/protocol';
import type { Change } from './change.js';

/** Changes that follow each other. */
export interface ChangePage {
  /** Whether the log still has the change before the page; otherwise changes may be missing, and the page is empty. */
  readonly isKnown: boolean;
  readonly changes: readonly Change[];
  /**
   * When the first of the later changes occurred that cannot be read yet, because an older transaction still runs; absent
   * if there are none.
   */
  readonly pendingSince?: EpochSeconds;
  /** How long changes will be recorded without a further `record`, in seconds; 0 if they are not recorded. */
  readonly recordedForSeconds: number;
}

/** The end of the log. */
export interface LatestChange extends Pick<ChangePage, 'recordedForSeconds' | 'pendingSince'> {
  /** The last change that can be read; absent if there is none yet. */
  readonly change?: Change;
}

/**
 * The log of what ended, in an order in which nothing is added before what was read. The identifier of a change is also
 * the position after it.
 */
export interface ChangeLog {
  latest(): Promise<LatestChange>;
  /** Returns the changes after one, or those from the start. */
  page(after: string | undefined, limit: number): Promise<ChangePage>;
  /**
   * Has changes recorded for a time from now on. If they were not recorded, the log begins anew with a `reset`, so that
   * every reader learns that changes may be missing.
   */
  record(forSeconds: number): Promise<void>;
}

/** Notices of new changes that are listened for until they are closed. */
export interface ChangeNotices {
  close(): void;
}

/** Listens for new changes: calls `onNotice` for each notice, and each time that it starts to listen. */
export type OpenChangeNotices = (onNotice: () => void) => ChangeNotices;

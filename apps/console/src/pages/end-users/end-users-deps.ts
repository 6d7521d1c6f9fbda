import type { Store } from '@vestibule/database';

/** What the pages about end-users work on. */
export interface EndUsersPagesDeps {
  readonly store: Pick<Store, 'database' | 'clock'>;
}

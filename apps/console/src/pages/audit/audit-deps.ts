import type { Store } from '@vestibule/database';

/** What the pages about audit events work on. */
export interface AuditPagesDeps {
  readonly store: Pick<Store, 'database'>;
}

/** Path of the pages about audit events. */
export const AUDIT_PATH = '/audit';

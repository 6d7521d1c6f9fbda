import type { Store } from '@vestibule/database';
import type { ConsoleDeps } from '../../deps.js';

/** What the pages about audit events work on. */
export interface AuditPagesDeps extends Pick<ConsoleDeps, 'admitExport'> {
  readonly store: Pick<Store, 'database' | 'clock'>;
}

/** Path of the pages about audit events. */
export const AUDIT_PATH = '/audit';

import type { Store } from '@vestibule/database';
import type { AuditPage, AuditPosition } from '@vestibule/database/audit';

/** A part of a history. */
export interface HistorySelection {
  /** Only events before this position. */
  readonly start?: AuditPosition | undefined;
  /** Maximum number of events. */
  readonly limit: number;
}

/** Reads the last events about a target, the latest first. Those of a deleted one stay. */
export function latestEvents(
  { database }: Pick<Store, 'database'>,
  target: string,
  selection: HistorySelection,
): Promise<AuditPage> {
  return database.listedEvents.list({ filter: { target }, direction: 'older', ...selection });
}

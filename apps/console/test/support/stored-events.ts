import type { AuditRecord } from '@vestibule/database';
import type { TestConsole } from './build-test-console.js';

/** Returns the audit events, or those about a target, in order. */
export async function storedEvents(
  { store }: Pick<TestConsole, 'store'>,
  target?: string,
): Promise<readonly AuditRecord[]> {
  const events: AuditRecord[] = [];
  const filter = target === undefined ? {} : { target };
  for await (const event of store.database.auditEvents(filter)) events.push(event);
  return events;
}

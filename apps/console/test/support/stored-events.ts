import type { AuditRecord } from '@vestibule/database';
import type { TestConsole } from './build-test-console.js';

/** Returns the audit events about a target, in order. */
export async function storedEvents({ store }: TestConsole, target: string): Promise<readonly AuditRecord[]> {
  const events: AuditRecord[] = [];
  for await (const event of store.database.auditEvents({ target })) events.push(event);
  return events;
}

import type { AuditRecord } from './read-events.js';

/** An event as it is exported for archives. */
export type ExportedEvent = Omit<AuditRecord, 'occurredAt' | 'before' | 'after'> & {
  readonly occurred_at: string;
  readonly before_digest?: string;
  readonly after_digest?: string;
};

/** Names the members of an event as in exports. */
export function exportedEvent({ occurredAt, before, after, ...same }: AuditRecord): ExportedEvent {
  return {
    ...same,
    occurred_at: occurredAt,
    ...(before !== undefined && { before_digest: before }),
    ...(after !== undefined && { after_digest: after }),
  };
}

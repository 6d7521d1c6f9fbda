import {
  type AuditFilter,
  type AuditPage,
  exportedEvent,
  exportRecord,
  type ListedEvents,
} from '@vestibule/database/audit';
import { ThrottledError } from '@vestibule/protocol';
import { type ConsoleRoute, consoleAction } from '../../frame/console-route.js';
import { AUDIT_PATH, type AuditPagesDeps } from './audit-deps.js';
import { FilterFields, filterForm, readFilter, type TypedFilter } from './audit-filter.js';
import { onceOver } from './once-over.js';

/** Events that are read at once. */
const PIECE = 500;

/** What a person waits whose earlier export still runs, in seconds. */
const BUSY_SECONDS = 10;

/**
 * The action that exports the events of a filter, oldest first, one JSON object per line. It reads page by page, as fast as
 * the browser takes them, and ends with the newest event of its beginning, so that later events do not prolong it. A person
 * has one export at a time in an instance. Each is recorded before its first event is read.
 */
export function exportEvents({ store, admitExport }: AuditPagesDeps): ConsoleRoute {
  const { database, clock } = store;
  const exporting = new Set<string>();
  return consoleAction({
    path: `${AUDIT_PATH}/export`,
    role: 'operator',
    form: FilterFields,
    perform: async ({ operator }, typed) => {
      const read = readFilter(typed);
      if ('errors' in read) return { title: 'Audit', status: 400, content: filterForm(typed, read.errors) };
      const { subject, actor } = operator;
      if (exporting.has(subject))
        throw new ThrottledError(BUSY_SECONDS, 'an export of this person still runs');
      exporting.add(subject);
      const release = () => void exporting.delete(subject);
      try {
        await admitExport(operator);
        const filter = await upToNow(database.listedEvents, read.filter);
        const { programEvents } = database.actingAs({ actor, clock });
        await programEvents.record(exportRecord(selectionOf(typed)));
        // Before the response begins, so that a database that cannot be read has its page.
        const first = await pageOf(database.listedEvents, filter, undefined);
        return {
          fileName: 'audit.ndjson',
          mediaType: 'application/x-ndjson',
          pieces: onceOver(exportedLines(database.listedEvents, filter, first), release),
        };
      } catch (error) {
        release();
        throw error;
      }
    },
  });
}

/** The filter as it was typed, without the other fields of the form. */
function selectionOf({ actor, action, target, from, until }: TypedFilter) {
  return { actor, action, target, from, until };
}

/** Bounds a filter by the newest event. */
async function upToNow(events: ListedEvents, filter: AuditFilter): Promise<AuditFilter> {
  const { events: newest } = await events.list({ filter: {}, direction: 'older', limit: 1 });
  const [last] = newest;
  const endMs = last === undefined ? 0 : Date.parse(last.occurredAt) + 1;
  const { untilMs = endMs } = filter;
  return { ...filter, untilMs: Math.min(untilMs, endMs) };
}

function pageOf(events: ListedEvents, filter: AuditFilter, start: AuditPage['end']): Promise<AuditPage> {
  return events.list({ filter, direction: 'newer', start, limit: PIECE });
}

async function* exportedLines(
  listed: ListedEvents,
  filter: AuditFilter,
  first: AuditPage,
): AsyncGenerator<string> {
  for (let page = first; ; page = await pageOf(listed, filter, page.end)) {
    const { events, end } = page;
    yield events.map((event) => `${JSON.stringify(exportedEvent(event))}\n`).join('');
    if (end === undefined) return;
  }
}

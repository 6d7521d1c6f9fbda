import { type AuditFilter, exportedEvent, type ListedEvents } from '@vestibule/database/audit';
import { type ConsoleRoute, consoleAction } from '../../frame/console-route.js';
import { AUDIT_PATH, type AuditPagesDeps } from './audit-deps.js';
import { FilterFields, filterForm, readFilter } from './audit-filter.js';

/** Events that are read at once. */
const PIECE = 500;

/** The action that exports the events of a filter, oldest first, one JSON object per line. */
export function exportEvents({ store }: AuditPagesDeps): ConsoleRoute {
  return consoleAction({
    path: `${AUDIT_PATH}/export`,
    role: 'operator',
    form: FilterFields,
    perform: async (_visit, typed) => {
      const read = readFilter(typed);
      if ('errors' in read) return { title: 'Audit', status: 400, content: filterForm(typed, read.errors) };
      const pages = exportedLines(store.database.listedEvents, read.filter);
      // Before the response begins, so that a database that cannot be read has its page.
      const first = await pages.next();
      return {
        fileName: 'audit.ndjson',
        mediaType: 'application/x-ndjson',
        pieces: continued(first, pages),
      };
    },
  });
}

async function* exportedLines(events: ListedEvents, filter: AuditFilter): AsyncGenerator<string> {
  let start: Parameters<ListedEvents['list']>[0]['start'];
  do {
    const page = await events.list({ filter, direction: 'newer', start, limit: PIECE });
    yield page.events.map((event) => `${JSON.stringify(exportedEvent(event))}\n`).join('');
    start = page.end;
  } while (start !== undefined);
}

async function* continued(
  first: IteratorResult<string>,
  rest: AsyncGenerator<string>,
): AsyncGenerator<string> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

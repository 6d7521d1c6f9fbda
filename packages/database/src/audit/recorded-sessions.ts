import type { ProviderRecords } from '@vestibule/tokens';
import { SESSION_RECORD_STATEMENTS, sessionRecords } from '../provider/session-records.js';
import type { RunStatement, Statement } from '../statement.js';
import { type Traceparent, untraced } from '../traced-statements.js';
import type { Author } from './author.js';
import { type RecordedEvent, recordEvent, shortDigest } from './record-event.js';

type RecordedName = 'save' | 'end' | 'endOfSubject';

// A session goes by the digest of its own identifier, by whichever of its names it was ended: the records outlive it.
const RECORDED: { readonly [Name in RecordedName]: Pick<RecordedEvent, 'from' | 'action' | 'target'> } = {
  save: { from: '(VALUES (true)) AS always', action: `'session.opened'`, target: sessionName('$1') },
  // The rows that the statement itself has found and locked, so that of parallel ends one is recorded.
  end: { from: 'doomed', action: `'session.ended'`, target: sessionName('doomed.id') },
  endOfSubject: { from: 'doomed', action: `'session.ended'`, target: sessionName('doomed.id') },
};

/**
 * The statements that open and end sessions and record it. Each may be repeated; an opening is then recorded once more.
 */
export const RECORDED_SESSION_STATEMENTS: Readonly<Record<string, Statement>> = Object.fromEntries(
  Object.entries(RECORDED).map(([name, event]) => {
    const statement = SESSION_RECORD_STATEMENTS[name as RecordedName];
    return [statement.name, recordedStatement(statement, event)];
  }),
);

/** Sessions in Postgres that record who opened and ended which, in the same statements. */
export function recordedSessions(
  run: RunStatement,
  author: Author,
  traceparent: Traceparent = untraced,
): ProviderRecords['sessions'] {
  return sessionRecords((statement, values) => {
    const recorded = RECORDED_SESSION_STATEMENTS[statement.name];
    return recorded === undefined
      ? run(statement, values)
      : run(recorded, [...values, author.actor, author.clock.nowMs() / 1000]);
  }, traceparent);
}

function recordedStatement(
  { name, text, repeatable }: Statement,
  recorded: Pick<RecordedEvent, 'from' | 'action' | 'target'>,
): Statement {
  const parameters = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const event = recordEvent({
    ...recorded,
    actor: `$${parameters + 1}::text`,
    occurredAt: `to_timestamp($${parameters + 2})`,
  });
  return {
    name: `${name}-recorded`,
    // Recursive alone lets it refer to what comes after it.
    text: `WITH RECURSIVE recorded AS (${event}), ${text.slice('WITH '.length)}`,
    repeatable,
  };
}

function sessionName(id: string): string {
  return `'session:' || ${shortDigest(id)}`;
}

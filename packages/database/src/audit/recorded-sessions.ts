import type { ProviderRecords } from '@vestibule/tokens/provider';
import { endNamed, SESSION_RECORD_STATEMENTS, sessionRecords } from '../provider/session-records.js';
import type { RunStatement, Statement } from '../statement.js';
import { type Traceparent, untraced } from '../traced-statements.js';
import type { Author } from './author.js';
import { type RecordedEvent, recordEvent, shortDigest } from './record-event.js';

type RecordedName = 'save' | 'open' | 'end' | 'endOfSubject';

// Sessions are recorded by the digest of their own identifier, whichever name was given, because events outlive them.
const RECORDED: { readonly [Name in RecordedName]: Pick<RecordedEvent, 'from' | 'action' | 'target'> } = {
  save: { from: '(VALUES (true)) AS always', action: `'session.opened'`, target: sessionName('$1') },
  open: { from: 'opened', action: `'session.opened'`, target: sessionName('opened.id') },
  // The rows that the statement has locked, so that only one of parallel ends is recorded.
  end: { from: 'ending', action: `'session.ended'`, target: sessionName('ending.id') },
  endOfSubject: { from: 'ending', action: `'session.ended'`, target: sessionName('ending.id') },
};

/** The statements as an operator's, whose changes are recorded. */
const OPERATED: { readonly [Name in RecordedName]: Statement } = {
  ...SESSION_RECORD_STATEMENTS,
  end: { ...SESSION_RECORD_STATEMENTS.end, text: endNamed('operator') },
};

/**
 * The statements that open and end sessions and record it. They are repeatable; each repeated opening is recorded.
 */
export const RECORDED_SESSION_STATEMENTS: Readonly<Record<string, Statement>> = Object.fromEntries(
  Object.entries(RECORDED).map(([name, event]) => {
    const statement = OPERATED[name as RecordedName];
    return [statement.name, recordedStatement(statement, event)];
  }),
);

/** Creates the session store whose changes are recorded in the same statements. */
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
    // RECURSIVE lets it refer to a later common table expression.
    text: `WITH RECURSIVE recorded AS (${event}), ${text.slice('WITH '.length)}`,
    repeatable,
  };
}

function sessionName(id: string): string {
  return `'session:' || ${shortDigest(id)}`;
}

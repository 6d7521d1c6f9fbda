import type { Tracer } from '@vestibule/protocol';
import type { RunStatement } from './statement.js';

/** Names the operation under way to those who go on with it elsewhere, where it is recorded. */
export type Traceparent = Tracer['traceparent'];

/** Where nothing is recorded. */
export const untraced: Traceparent = () => undefined;

/** Statements as parts of the traces that they belong to: named, without their text and their values. */
export function tracedStatements(run: RunStatement, tracer: Tracer): RunStatement {
  return (statement, values) => {
    const facts = { 'db.system.name': 'postgresql', 'db.operation.name': statement.name };
    return tracer.span({ name: `db ${statement.name}`, kind: 'client', facts }, async (span) => {
      const result = await run<never>(statement, values);
      span.note({ 'db.response.returned_rows': result.rowCount });
      return result;
    });
  };
}

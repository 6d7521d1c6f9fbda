import type { Tracer } from '@vestibule/protocol';
import type { RunQuery } from './statement.js';

/** Returns the trace context of the current operation, if it is traced. */
export type Traceparent = Tracer['traceparent'];

/** Without tracing. */
export const untraced: Traceparent = () => undefined;

/** Traces statements: a span with the statement's name, without its text and values. */
export function tracedStatements(query: RunQuery, tracer: Tracer): RunQuery {
  return (statement, values) => {
    const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': statement.name };
    return tracer.span({ name: `db ${statement.name}`, kind: 'client', attributes }, async (span) => {
      const result = await query(statement, values);
      span.setAttributes({ 'db.response.returned_rows': result.rowCount ?? 0 });
      return result;
    });
  };
}

import type { LogLevel } from '@vestibule/protocol/logging';
import type { Reply, Request } from '../server/fastify-types.js';
import type { ServerContext } from '../server/server-context.js';
import type { LogEntry } from './logger.js';
import { failureOf } from './request-outcome.js';

/** The observed operation of a route group. */
export interface Operation {
  readonly routeGroup: string;
  readonly method: string;
  /** Route pattern; never the requested URL. */
  readonly route: string;
  /** Log level for successful requests. */
  readonly successLevel: LogLevel;
}

/** Called once per response, before its headers are written. */
export type Observer = (request: Request, reply: Reply, durationMs: number) => void;

/**
 * Counts and logs the responses of an operation. The log line has the operation, the outcome and, for failures, the
 * code and the private detail. It never has a URL, a query, a header or a body.
 */
export function createObserver(context: ServerContext, operation: Operation): Observer {
  const { routeGroup, method, route, successLevel } = operation;
  const metrics = context.metrics?.operation(routeGroup, `${method} ${route}`);
  // Common members of all lines are bound once.
  const logger = context.logger?.child({ routeGroup, method, route });
  return (request, reply, durationMs) => {
    const { statusCode } = reply;
    metrics?.record(statusCode, durationMs, statusCode < 400 ? undefined : failureOf(request)?.error.code);
    const level = statusCode >= 500 ? 'error' : statusCode >= 400 ? 'info' : successLevel;
    if (!logger?.isLevelEnabled(level)) return;
    const entry = { requestId: request.id, status: statusCode, durationMs: roundTo10Us(durationMs) };
    logger[level]({ ...entry, ...failureFields(request, statusCode) }, 'request');
  };
}

function failureFields(request: Request, status: number): Pick<LogEntry, 'code' | 'detail' | 'error'> {
  const failure = failureOf(request);
  if (failure === undefined) return {};
  const { error, thrown } = failure;
  const fields = { code: error.code, detail: error.detail ?? error.description };
  return status >= 500 ? { ...fields, error: thrown } : fields;
}

function roundTo10Us(durationMs: number): number {
  return Math.round(durationMs * 100) / 100;
}

import { type DestinationStream, type LogFn, type Logger, type LoggerOptions, pino } from 'pino';
import { type ErrorRecord, errorRecord } from './error-record.js';
import type { LogLevel } from './log-levels.js';
import { logOutput } from './log-output.js';

export type { Logger };

/** How a logger is made. */
export interface LogOptions {
  readonly level: LogLevel;
  /** The name of the service, on every line. */
  readonly service: string;
  /** Members that may be logged beside the usual ones. Never one that can hold a secret, a token, a body or a query. */
  readonly fields?: readonly string[];
  /** Where lines go, by default standard output in batches. */
  readonly destination?: DestinationStream;
}

/** Members of a log line; everything else is dropped. */
const FIELDS = [
  'requestId',
  'family',
  'method',
  'route',
  'status',
  'durationMs',
  'code',
  'detail',
  'error',
  'host',
  'port',
  'dependency',
  'signal',
  'reason',
  'entity',
  'count',
  'auditPosition',
  'auditHash',
] as const;

const MAX_TEXT_LENGTH = 500;

/**
 * A logger of JSON lines. Only listed members reach a line, and of those only numbers, booleans, short texts and
 * errors as {@link errorRecord} describes them: an object that is logged whole by mistake shows nothing.
 */
export function createLogger({ level, service, fields = [], destination }: LogOptions): Logger {
  const allowed = new Set<string>([...FIELDS, ...fields]);
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label) => ({ level: label }),
      log: (entry) => keepAllowed(entry, allowed),
    },
    errorKey: 'error',
    // Errors are described by the formatter above; nothing is read from them afterwards.
    serializers: { err: (record: unknown) => record },
    hooks: {
      logMethod(args, method) {
        method.apply(this, withMessage(args));
      },
    },
  };
  const onLoss = (count: number) => logger.warn({ count }, 'log lines were lost');
  const logger: Logger = pino(options, destination ?? logOutput({ onLoss }));
  return logger;
}

/** An entry without a message would get that of its error, which may quote a request. */
function withMessage(args: Parameters<LogFn>): Parameters<LogFn> {
  const [entry, message, ...values] = args;
  if (entry instanceof Error) return [{ error: entry }, message ?? 'error', ...values];
  return typeof entry === 'object' ? [entry, message ?? '', ...values] : args;
}

function keepAllowed(entry: Record<string, unknown>, allowed: ReadonlySet<string>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(entry)) {
    const shown = allowed.has(field) ? shownValue(value) : undefined;
    if (shown !== undefined) kept[field] = shown;
  }
  return kept;
}

function shownValue(value: unknown): string | number | boolean | ErrorRecord | undefined {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT_LENGTH);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return value instanceof Error ? errorRecord(value) : undefined;
}

import {
  type Bindings,
  type ChildLoggerOptions,
  type DestinationStream,
  type LogFn,
  type LoggerOptions,
  type Logger as PinoLogger,
  pino,
} from 'pino';
import { type ErrorRecord, errorRecord } from './error-record.js';
import type { LogLevel } from './log-levels.js';
import { logOutput } from './log-output.js';

/** How a logger is made. */
export interface LogOptions {
  readonly level: LogLevel;
  /** The name of the service, on every line. */
  readonly service: string;
  /** Where lines go, by default standard output in batches. */
  readonly destination?: DestinationStream;
}

/** Members of a log line; everything else is dropped. Never one that can hold a secret, a token, a body or a query. */
const FIELDS = [
  'requestId',
  'routeGroup',
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

type LogField = (typeof FIELDS)[number];

/** What a line says beside its sentence: members that reach the line, with values that do. */
export type LogEntry = {
  readonly [Field in Exclude<LogField, 'error'>]?: string | number | boolean | undefined;
} & { readonly error?: unknown };

/** An entry, unless its type, or one of those that it is a union of, has a member that would be dropped. */
type Undropped<Entry extends LogEntry> = Entry & {
  readonly [Dropped in Exclude<MemberOf<Entry>, LogField>]: never;
};

type MemberOf<Entry> = Entry extends unknown ? keyof Entry : never;

/** Writes a line. */
interface LogLine {
  <Entry extends LogEntry>(entry: Undropped<Entry>, sentence: string): void;
  (sentence: string): void;
}

/** A logger of JSON lines. */
export interface Logger
  extends Readonly<Record<LogLevel, LogLine>>,
    Pick<PinoLogger, 'isLevelEnabled' | 'flush'> {
  /** A logger whose lines all say this too. */
  child<Entry extends LogEntry>(entry: Undropped<Entry>): Logger;
}

const ALLOWED: ReadonlySet<string> = new Set(FIELDS);
const MAX_TEXT_LENGTH = 500;

/**
 * A logger of JSON lines. Only listed members reach a line, and of those only numbers, booleans, short texts and
 * errors as {@link errorRecord} describes them: an object that is logged whole by mistake shows nothing.
 */
export function createLogger({ level, service, destination }: LogOptions): Logger {
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label) => ({ level: label }),
      log: (entry) => keepAllowed(entry),
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
  const logger = pino(options, destination ?? logOutput({ onLoss }));
  const child: (entry: Bindings, childOptions?: ChildLoggerOptions) => PinoLogger = logger.child;
  // What a child always says does not pass the formatter.
  return Object.assign(logger, {
    child(entry: Bindings, childOptions?: ChildLoggerOptions) {
      return child.call(this, keepAllowed(entry), childOptions);
    },
  });
}

/** An entry without a message would get that of its error, which may quote a request. */
function withMessage(args: Parameters<LogFn>): Parameters<LogFn> {
  const [entry, message, ...values] = args;
  if (entry instanceof Error) return [{ error: entry }, message ?? 'error', ...values];
  return typeof entry === 'object' ? [entry, message ?? '', ...values] : args;
}

function keepAllowed(entry: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(entry)) {
    const shown = ALLOWED.has(field) ? shownValue(value) : undefined;
    if (shown !== undefined) kept[field] = shown;
  }
  return kept;
}

function shownValue(value: unknown): string | number | boolean | ErrorRecord | undefined {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT_LENGTH);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return value instanceof Error ? errorRecord(value) : undefined;
}

import type { LogLevel } from '@vestibule/protocol/logging';
import { type ErrorRecord, errorRecord } from '@vestibule/protocol/logging';
import {
  type Bindings,
  type ChildLoggerOptions,
  type DestinationStream,
  type LogFn,
  type LoggerOptions,
  type Logger as PinoLogger,
  pino,
} from 'pino';
import { logOutput } from './log-output.js';

/** Options of {@link createLogger}. */
export interface LogOptions {
  readonly level: LogLevel;
  /** The name of the service, on every line. */
  readonly service: string;
  /** Output of log lines. Default: standard output in batches. */
  readonly destination?: DestinationStream;
}

/** Members that reach a log line; others are dropped. None of them can contain a secret, a token, a body or a query. */
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

/** Members of a log line besides the message. */
export type LogEntry = {
  readonly [Field in Exclude<LogField, 'error'>]?: string | number | boolean | undefined;
} & { readonly error?: unknown };

/** Resolves to the entry type only if none of its members, in any variant of a union, would be dropped. */
type Undropped<Entry extends LogEntry> = Entry & {
  readonly [Dropped in Exclude<MemberOf<Entry>, LogField>]: never;
};

type MemberOf<Entry> = Entry extends unknown ? keyof Entry : never;

/** Writes a log line. */
interface LogLine {
  <Entry extends LogEntry>(entry: Undropped<Entry>, sentence: string): void;
  (sentence: string): void;
}

/** A logger of JSON lines. */
export interface Logger
  extends Readonly<Record<LogLevel, LogLine>>,
    Pick<PinoLogger, 'isLevelEnabled' | 'flush'> {
  /** Creates a logger that adds this entry to every line. */
  child<Entry extends LogEntry>(entry: Undropped<Entry>): Logger;
}

const ALLOWED: ReadonlySet<string> = new Set(FIELDS);
const MAX_TEXT_LENGTH = 500;
/** An output to the device would wake up several times a second, although nothing is written. */
const NO_OUTPUT: DestinationStream = { write: () => undefined };

/**
 * Creates a logger of JSON lines. Only listed members reach a line, and only with numbers, booleans, short texts and
 * errors as {@link errorRecord} describes them. An object that is logged by mistake shows nothing. With the level `silent`
 * no output is opened.
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
    // The formatter above describes errors; nothing else is read from them.
    serializers: { err: (record: unknown) => record },
    hooks: {
      logMethod(args, method) {
        method.apply(this, withMessage(args));
      },
    },
  };
  const onLoss = (count: number) => logger.warn({ count }, 'log lines were lost');
  const openOutput = () => (level === 'silent' ? NO_OUTPUT : logOutput({ onLoss }));
  const logger = pino(options, destination ?? openOutput());
  const child: (entry: Bindings, childOptions?: ChildLoggerOptions) => PinoLogger = logger.child;
  // Bindings of a child logger bypass the formatter.
  return Object.assign(logger, {
    child(entry: Bindings, childOptions?: ChildLoggerOptions) {
      return child.call(this, keepAllowed(entry), childOptions);
    },
  });
}

/** Without a message, pino would use the message of the error, which may quote a request. */
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

import { DomainError } from '@vestibule/protocol';

/** The parts of an error that may be logged. */
export interface ErrorRecord {
  readonly type: string;
  readonly code?: string;
  /** Only if the message is known to contain no request values. */
  readonly message?: string;
  readonly stack?: readonly string[];
  readonly cause?: ErrorRecord;
  readonly errors?: readonly ErrorRecord[];
}

const MAX_CHAIN = 5;
const MAX_FRAMES = 20;
const MAX_SIBLINGS = 3;
const WORD = /^[A-Za-z0-9_]{1,64}$/;
const FRAME = /^ {4}at (?:[^()\n]{1,200} \()?(?:node:|file:\/\/|\/|[A-Za-z]:\\|<anonymous>)[^\n]{0,300}$/;

/**
 * Describes an error for the log: type, code, stack frames and the chain of causes. Messages of libraries often quote
 * their input (a database quotes the key, a JSON parser the text). A message is therefore kept only from errors of this
 * product, of the operating system, and of the engine's own checks. No other member is read.
 */
export function errorRecord(error: unknown, depth = 0): ErrorRecord {
  if (!(error instanceof Error)) return { type: error === null ? 'null' : typeof error };
  const code = codeOf(error);
  const isDeep = depth >= MAX_CHAIN;
  return {
    type: WORD.test(error.name) ? error.name : 'Error',
    ...(code === undefined ? {} : { code }),
    ...(isSafeMessage(error) ? { message: error.message } : {}),
    stack: frames(error),
    ...(error.cause === undefined || isDeep ? {} : { cause: errorRecord(error.cause, depth + 1) }),
    ...(error instanceof AggregateError && !isDeep ? { errors: siblings(error, depth) } : {}),
  };
}

function siblings(error: AggregateError, depth: number): ErrorRecord[] {
  return error.errors.slice(0, MAX_SIBLINGS).map((sibling) => errorRecord(sibling, depth + 1));
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' && WORD.test(error.code) ? error.code : undefined;
}

function isSafeMessage(error: Error): boolean {
  if (error instanceof DomainError) return true;
  if ('syscall' in error && typeof error.syscall === 'string') return true;
  return !('code' in error) && ENGINE_ERRORS.has(error.constructor);
}

/** Without a `code`, which would mark another origin, their messages quote source code but never processed values. */
const ENGINE_ERRORS: ReadonlySet<unknown> = new Set([TypeError, RangeError, ReferenceError]);

/** Returns the stack frames without the message, and without lines of the message that look like frames. */
function frames(error: Error): string[] {
  const stack = error.stack ?? '';
  const messageAt = error.message === '' ? -1 : stack.indexOf(error.message);
  const trace = messageAt === -1 ? stack : stack.slice(messageAt + error.message.length);
  const lines = trace.split('\n').filter((line) => FRAME.test(line));
  return lines.slice(0, MAX_FRAMES).map((line) => line.trim());
}

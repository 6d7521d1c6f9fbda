import type { StatementFailure } from './database-counters.js';

/** Details of a failed statement from PostgreSQL and the driver. */
interface FailureFacts {
  /** SQLSTATE, or the code of a system error. */
  readonly code?: string;
  readonly message: string;
  /** The function of the server that raised the error. */
  readonly routine?: string;
  readonly constraint?: string;
  readonly detail?: string;
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const CHECK_VIOLATION = '23514';

/** Serialization failure and deadlock: the statement was rolled back, and a retry may succeed. */
const UNDONE = new Set(['40001', '40P01']);

/** A prepared statement is gone, or its name is taken, because some proxies share connections. */
const NOT_PREPARED = new Set(['26000', '42P05']);
/** Raises the error for a prepared statement whose result types have changed; its message is localized. */
const PLAN_CHECK = 'RevalidateCachedQuery';

/** The server is shutting down or starting, or the connection broke. */
const CONNECTION_LOST = new Set(['57P01', '57P02', '57P03', 'ECONNRESET', 'EPIPE']);

/** Messages of node-postgres that have no code. */
const CONNECTION_LOST_WORDS = /^(Connection terminated|Client has encountered a connection error)/;

/** Whether a unique value exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return detailsOf(error)?.code === UNIQUE_VIOLATION;
}

/** Returns the resource identifier of a refused statement that belongs to another client. */
export function takenResourceIdentifier(error: unknown): string | undefined {
  const { code, constraint, detail } = detailsOf(error) ?? {};
  return code === UNIQUE_VIOLATION && constraint === 'client_resource_identifier_pkey' ? detail : undefined;
}

/** Whether a trigger refused a client because an operator has blocked it. */
export function isBlockedClient(error: unknown): boolean {
  const { code, constraint } = detailsOf(error) ?? {};
  return code === CHECK_VIOLATION && constraint === 'client_block';
}

/** Whether a row refers to one that does not exist. */
export function isForeignKeyViolation(error: unknown): boolean {
  return detailsOf(error)?.code === FOREIGN_KEY_VIOLATION;
}

/** Faults of the whole database: it cannot be reached, refuses the login, or has an older schema. */
export type DatabaseFault = 'unreachable' | 'refused' | 'outdated';

/** Invalid credentials or authorization (class 28), unknown database, insufficient privilege. */
const REFUSED = /^(28...|3D000|42501)$/;
const REFUSED_WORDS = /^SASL/;

/** Codes of the system and of PostgreSQL for a server that does not accept connections. */
const UNREACHABLE =
  /^(ECONN[A-Z]+|ENOTFOUND|EAI_[A-Z]+|ETIMEDOUT|E(?:HOST|NET)UNREACH|EPIPE|08...|57P0[123]|53300)$/;
const UNREACHABLE_WORDS =
  /^(connect ENOENT|timeout expired|timeout exceeded when trying to connect|Connection terminated|The server does not support SSL)/;

/** Unknown table, column, type or function. */
const OUTDATED = /^(42P01|42703|42704|42883)$/;

/** Classifies an error as a fault of the whole database; `undefined` for other errors. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (error instanceof StandbyServerError) return 'unreachable';
  const { code = '', message } = detailsOf(error) ?? { message: '' };
  if (REFUSED.test(code) || REFUSED_WORDS.test(message)) return 'refused';
  if (UNREACHABLE.test(code) || UNREACHABLE_WORDS.test(message)) return 'unreachable';
  return OUTDATED.test(code) ? 'outdated' : undefined;
}

/**
 * Waits for a statement that adds a row, and ignores a foreign-key violation: the parent row was deleted in between.
 */
export async function ignoreForeignKeyViolation(adding: Promise<unknown>): Promise<void> {
  try {
    await adding;
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
  }
}

/** Whether the database rolled back a statement in favour of another one. */
export function isUndone(error: unknown): boolean {
  return UNDONE.has(detailsOf(error)?.code ?? '');
}

/** Whether a statement failed without effect because of a stale prepared statement; unprepared it succeeds. */
export function isUnprepared(error: unknown): boolean {
  const { code = '', routine } = detailsOf(error) ?? {};
  return NOT_PREPARED.has(code) || routine === PLAN_CHECK;
}

/** Whether the connection broke, so that it is unknown whether the statement took effect. */
export function isConnectionLost(error: unknown): boolean {
  const details = detailsOf(error);
  if (details === undefined) return false;
  const { code = '', message } = details;
  return CONNECTION_LOST.has(code) || code.startsWith('08') || CONNECTION_LOST_WORDS.test(message);
}

/** Whether the error is a response of the database, so that the connection can still be used. */
export function isDatabaseResponse(error: unknown): boolean {
  const isResponse = /^[0-9A-Z]{5}$/.test(detailsOf(error)?.code ?? '');
  return isResponse && !isConnectionLost(error) && !isUnprepared(error);
}

/** Thrown for an address of a standby, whose data may lag behind the primary and which cannot be written. */
export class StandbyServerError extends Error {
  override readonly name = 'StandbyServerError';

  constructor() {
    super('the database server is a standby (in recovery); DATABASE_URL must point to the primary');
  }
}

/** Thrown when the server did not respond to a statement in time. It is unknown whether the statement took effect. */
export class StatementTimeoutError extends Error {
  override readonly name = 'StatementTimeoutError';

  constructor() {
    super('the database did not respond in time');
  }
}

/** `statement_timeout` and `lock_timeout` of the server. */
const TIMED_OUT = new Set(['57014', '55P03']);

/** Whether the database did not finish a statement in time. */
export function isStatementTimeout(error: unknown): boolean {
  return TIMED_OUT.has(detailsOf(error)?.code ?? '') || error instanceof StatementTimeoutError;
}

/** Classifies the failure of a statement, for metrics. */
export function statementFailure(error: unknown): StatementFailure {
  if (isStatementTimeout(error)) return 'timeout';
  return isDatabaseResponse(error) ? 'refused' : 'connection_lost';
}

function detailsOf(error: unknown): FailureFacts | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  return {
    message,
    ...textProperty(error, 'code'),
    ...textProperty(error, 'routine'),
    ...textProperty(error, 'constraint'),
    ...textProperty(error, 'detail'),
  };
}

function textProperty(error: object, name: string): Readonly<Record<string, string>> {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? { [name]: value } : {};
}

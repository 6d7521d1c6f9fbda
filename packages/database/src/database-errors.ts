import type { StatementFailure } from './database-counters.js';

/** What PostgreSQL and its driver say of a failed statement. */
interface FailureFacts {
  /** SQLSTATE, or the code of a system error. */
  readonly code?: string;
  readonly message: string;
  /** Where in the server the error was raised. */
  readonly routine?: string;
  readonly constraint?: string;
  readonly detail?: string;
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** Serialisation failure and deadlock: the statement was undone, and would succeed when tried again. */
const UNDONE = new Set(['40001', '40P01']);

/** What a connection prepared is gone, or its name is taken: connections are shared behind some proxies. */
const NOT_PREPARED = new Set(['26000', '42P05']);
/** Refuses a statement whose columns have other types than when it was prepared; what it says is translated. */
const PLAN_CHECK = 'RevalidateCachedQuery';

/** The server is going away, not there yet, or the connection broke. */
const CONNECTION_LOST = new Set(['57P01', '57P02', '57P03', 'ECONNRESET', 'EPIPE']);

/** Words of node-postgres, which has no codes for these. */
const CONNECTION_LOST_WORDS = /^(Connection terminated|Client has encountered a connection error)/;

/** Whether a value that must be unique is there already. */
export function isUniqueViolation(error: unknown): boolean {
  return factsOf(error)?.code === UNIQUE_VIOLATION;
}

/** The resource identifier that a statement was refused for, because it names another client. */
export function takenResourceIdentifier(error: unknown): string | undefined {
  const { code, constraint, detail } = factsOf(error) ?? {};
  return code === UNIQUE_VIOLATION && constraint === 'client_resource_identifier_pkey' ? detail : undefined;
}

/** Whether a row refers to one that does not exist. */
export function isForeignKeyViolation(error: unknown): boolean {
  return factsOf(error)?.code === FOREIGN_KEY_VIOLATION;
}

/** Why a database is of no use to anyone: it cannot be reached, refuses the login, or has another schema. */
export type DatabaseFault = 'unreachable' | 'refused' | 'outdated';

/** Wrong credentials or no permission (class 28), no such database, no right to it. */
const REFUSED = /^(28...|3D000|42501)$/;
const REFUSED_WORDS = /^SASL/;

/** Codes of the system and of PostgreSQL that mean that nobody answers there, or not now. */
const UNREACHABLE =
  /^(ECONN[A-Z]+|ENOTFOUND|EAI_[A-Z]+|ETIMEDOUT|E(?:HOST|NET)UNREACH|EPIPE|08...|57P0[123]|53300)$/;
const UNREACHABLE_WORDS =
  /^(connect ENOENT|timeout expired|timeout exceeded when trying to connect|Connection terminated|The server does not support SSL)/;

/** A table, column, type or function that is not there. */
const OUTDATED = /^(42P01|42703|42704|42883)$/;

/** Which fault of the whole database an error shows; `undefined` when it is about something else. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (error instanceof StandbyServerError) return 'unreachable';
  const { code = '', message } = factsOf(error) ?? { message: '' };
  if (REFUSED.test(code) || REFUSED_WORDS.test(message)) return 'refused';
  if (UNREACHABLE.test(code) || UNREACHABLE_WORDS.test(message)) return 'unreachable';
  return OUTDATED.test(code) ? 'outdated' : undefined;
}

/**
 * Waits for a statement that adds a row; when what the row belongs to has gone, it is not added, which is no failure.
 */
export async function ignoreForeignKeyViolation(adding: Promise<unknown>): Promise<void> {
  try {
    await adding;
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
  }
}

/** Whether the database undid a statement in favour of another one. */
export function isUndone(error: unknown): boolean {
  return UNDONE.has(factsOf(error)?.code ?? '');
}

/** Whether a statement was refused, undone, for what its connection had prepared: it succeeds unprepared. */
export function isUnprepared(error: unknown): boolean {
  const { code = '', routine } = factsOf(error) ?? {};
  return NOT_PREPARED.has(code) || routine === PLAN_CHECK;
}

/** Whether a connection broke: whether its statement took effect is then unknown. */
export function isConnectionLost(error: unknown): boolean {
  const facts = factsOf(error);
  if (facts === undefined) return false;
  const { code = '', message } = facts;
  return CONNECTION_LOST.has(code) || code.startsWith('08') || CONNECTION_LOST_WORDS.test(message);
}

/** Whether the database itself answered with an error, so that its connection is as good as before. */
export function isDatabaseResponse(error: unknown): boolean {
  const isResponse = /^[0-9A-Z]{5}$/.test(factsOf(error)?.code ?? '');
  return isResponse && !isConnectionLost(error) && !isUnprepared(error);
}

/** The address leads to a standby: what is read there may lag behind the primary, and nothing can be written. */
export class StandbyServerError extends Error {
  override readonly name = 'StandbyServerError';

  constructor() {
    super('the database server is a standby (in recovery); DATABASE_URL must lead to the primary');
  }
}

/** A server that did not answer a statement in time, not even with an error: whether it took effect is unknown. */
export class StatementTimeoutError extends Error {
  override readonly name = 'StatementTimeoutError';

  constructor() {
    super('the database did not answer in time');
  }
}

/** `statement_timeout` and `lock_timeout` of the server. */
const TIMED_OUT = new Set(['57014', '55P03']);

/** What kind of failure a statement met, for those who count. */
export function statementFailure(error: unknown): StatementFailure {
  const { code = '' } = factsOf(error) ?? {};
  if (TIMED_OUT.has(code) || error instanceof StatementTimeoutError) return 'timeout';
  return isDatabaseResponse(error) ? 'refused' : 'connection_lost';
}

function factsOf(error: unknown): FailureFacts | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  return {
    message,
    ...textMember(error, 'code'),
    ...textMember(error, 'routine'),
    ...textMember(error, 'constraint'),
    ...textMember(error, 'detail'),
  };
}

function textMember(error: object, name: string): Readonly<Record<string, string>> {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? { [name]: value } : {};
}

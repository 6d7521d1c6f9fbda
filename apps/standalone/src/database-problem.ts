/** Answers of PostgreSQL to a login: wrong credentials or no permission (class 28), no such database, no right to it. */
const REFUSED_LOGIN = /^(28...|3D000|42501)$/;

/** Codes of the system and of PostgreSQL that mean that nobody answers there, or not now. */
const UNREACHABLE =
  /^(ECONN[A-Z]+|ENOTFOUND|EAI_[A-Z]+|ETIMEDOUT|E(?:HOST|NET)UNREACH|EPIPE|ENOENT|08...|57P0[123]|53300)$/;

/** Words of the driver, which has no codes for these. */
const UNREACHABLE_WORDS = /^(timeout expired|Connection terminated|The server does not support SSL)/;
const REFUSED_LOGIN_WORDS = /^SASL/;

/** Why a database could not be brought up to date, as one sentence for the person who started the process. */
export function databaseProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const words = error instanceof Error ? error.message : '';
  if (REFUSED_LOGIN.test(code) || REFUSED_LOGIN_WORDS.test(words))
    return 'The database refuses the login: check user, password and database name in DATABASE_URL.';
  if (UNREACHABLE.test(code) || UNREACHABLE_WORDS.test(words))
    return 'The database cannot be reached: check the address in DATABASE_URL.';
  return 'The database answers, but could not be brought up to date: PostgreSQL says why in its log.';
}

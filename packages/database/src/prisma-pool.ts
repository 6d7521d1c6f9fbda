import pg from 'pg';
import type { BorrowedConnection, RunQuery, Statement } from './statement.js';

/** How the statements of Prisma Client run. */
export interface PrismaConnections {
  readonly query: RunQuery;
  /** Borrows a connection for a transaction. */
  borrow(): Promise<BorrowedConnection>;
}

/** A statement as the adapter passes it to the driver. */
interface AdapterQuery extends Pick<pg.QueryArrayConfig, 'rowMode' | 'types' | 'text'> {
  readonly values: readonly unknown[];
}

/**
 * Thrown to the adapter in place of the error of the database or the driver, which the adapter would replace by one with
 * fewer details.
 */
export class PrismaStatementError extends Error {
  override readonly name = 'PrismaStatementError';

  constructor(cause: unknown) {
    super('a statement of Prisma Client failed', { cause });
  }
}

/** Creates the pool that the adapter of Prisma sees. Its statements run like all others. It has no connections. */
export function prismaPool({ query, borrow }: PrismaConnections): pg.Pool {
  return Object.assign(new pg.Pool(), {
    query: adapterQueries(query),
    connect: async () => {
      const { query: queryInTransaction, release } = await borrow().catch(hide);
      return Object.assign(new pg.Client(), { query: adapterQueries(queryInTransaction), release });
    },
  });
}

function adapterQueries(query: RunQuery) {
  return ({ text, values, rowMode, types }: AdapterQuery) =>
    query({ ...statementOf(text), rowForm: { rowMode, ...(types && { types }) } }, values).catch(hide);
}

function hide(error: unknown): never {
  throw new PrismaStatementError(error);
}

/** `SELECT` and `DELETE` are idempotent; the number of rows that a repeated `DELETE` reports may be too small. */
const REPEATABLE = /^(SELECT|DELETE)\b/;

/** Names a statement by its operation and table, for traces. */
function statementOf(text: string): Statement {
  const [operation = 'statement'] = text.split(' ', 1);
  const table = /"public"\."(\w+)"/.exec(text)?.[1];
  const name = ['prisma', operation.toLowerCase(), ...(table === undefined ? [] : [table])].join('-');
  return { name, text, repeatable: REPEATABLE.test(text), isUnprepared: true };
}

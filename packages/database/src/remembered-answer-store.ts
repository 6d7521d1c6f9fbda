import type { RememberedAnswer, RememberedAnswerStore } from '@vestibule/clients';
import { digestOf, instant } from './column-values.js';
import { columnNames, selectList } from './columns.js';
import type { RunStatement, Statement } from './statement.js';

/** The columns of the table `remembered_answer`. */
const REMEMBERED_ANSWER_COLUMNS = { digest: 'bytea', sealed: 'text', expires_at: 'time' } as const;

interface RememberedAnswerRow {
  readonly digest: Uint8Array;
  readonly sealed: string;
  readonly expires_at: number;
}

/** The statements of the store. */
export const REMEMBERED_ANSWER_STATEMENTS = {
  find: {
    name: 'remembered-answer-find',
    text: `SELECT ${selectList(REMEMBERED_ANSWER_COLUMNS)} FROM remembered_answer
      WHERE digest = ANY($1::bytea[]) LIMIT 1`,
    repeatable: true,
  },
  forgetExpired: {
    name: 'remembered-answer-forget-expired',
    text: `DELETE FROM remembered_answer
      WHERE digest = ANY($1::bytea[]) AND expires_at <= to_timestamp($2)`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

/**
 * The part of a statement that remembers answers for the row of `from`. A digest that is there undoes the whole
 * statement; their order has parallel statements meet at the first that they have in common.
 * @param first the number of the first of its parameters
 */
export function rememberAnswer(from: string, first: number): string {
  return `INSERT INTO remembered_answer (${columnNames(REMEMBERED_ANSWER_COLUMNS)})
    SELECT digest, sealed, to_timestamp(expires_at) FROM ${from},
      unnest($${first}::bytea[], $${first + 1}::text[], $${first + 2}::float8[]) AS answer (digest, sealed, expires_at)
    ORDER BY digest`;
}

/** The values of its parameters. */
export function rememberedAnswerValues(answers: readonly RememberedAnswer[]): unknown[] {
  return [
    answers.map(({ digest }) => digest),
    answers.map(({ sealed }) => sealed),
    answers.map(({ expiresAt }) => expiresAt),
  ];
}

/** Remembered answers in Postgres. */
export function rememberedAnswerStore(run: RunStatement): RememberedAnswerStore {
  return {
    find: async (candidates, now) => {
      const { rows } = await run<RememberedAnswerRow>(REMEMBERED_ANSWER_STATEMENTS.find, [candidates]);
      const found = rows[0] && answerFromRow(rows[0]);
      if (found === undefined || found.expiresAt > now) return found;
      // Otherwise it would stand in the way of the next one until it is cleaned up.
      await run(REMEMBERED_ANSWER_STATEMENTS.forgetExpired, [candidates, now]);
      return undefined;
    },
  };
}

function answerFromRow({ digest, sealed, expires_at }: RememberedAnswerRow): RememberedAnswer {
  return { digest: digestOf(digest), sealed, expiresAt: instant(expires_at) };
}

/** The most questions that one statement answers. */
const MAX_BUNDLE = 64;

/** Answers all of the questions at once, in the same order. */
type AskAll<Question, Answer> = (questions: readonly Question[]) => Promise<readonly Answer[]>;

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Asks once what is asked for while the input of one turn of the event loop is read: of many reads at a time most of
 * the cost is their way to the database. An answer is never older than its question. Rejects with what asking rejects
 * with, for all of a bundle.
 */
export function bundledReads<Question, Answer>(
  askAll: AskAll<Question, Answer>,
): (question: Question) => Promise<Answer> {
  let bundle: Waiting<Question, Answer>[] = [];
  const begin = () => {
    const begun: Waiting<Question, Answer>[] = [];
    setImmediate(() => {
      bundle = [];
      void answerEach(askAll, begun);
    });
    return begun;
  };
  return (question) =>
    new Promise((resolve, reject) => {
      if (bundle.length === 0 || bundle.length === MAX_BUNDLE) bundle = begin();
      bundle.push({ question, resolve, reject });
    });
}

/** Never rejects. */
async function answerEach<Question, Answer>(
  askAll: AskAll<Question, Answer>,
  bundle: readonly Waiting<Question, Answer>[],
): Promise<void> {
  try {
    const answers = await askAll(bundle.map(({ question }) => question));
    bundle.forEach(({ resolve }, index) => {
      // There is an answer for each.
      resolve(answers[index] as Answer);
    });
  } catch (error) {
    for (const { reject } of bundle) reject(error);
  }
}

/** The most questions that one statement answers. */
const MAX_BUNDLE = 64;

/** Answers all of the questions at once, in the same order. */
type AskAll<Key, Result> = (keys: readonly Key[]) => Promise<readonly Result[]>;

interface Waiting<Key, Result> {
  readonly key: Key;
  readonly resolve: (response: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Asks once what is asked for while the input of one turn of the event loop is read: of many reads at a time most of
 * the cost is their way to the database. A response is never older than its question. Rejects with what asking rejects
 * with, for all of a bundle.
 */
export function bundledReads<Key, Result>(askAll: AskAll<Key, Result>): (key: Key) => Promise<Result> {
  let bundle: Waiting<Key, Result>[] = [];
  const begin = () => {
    const begun: Waiting<Key, Result>[] = [];
    setImmediate(() => {
      bundle = [];
      void responseEach(askAll, begun);
    });
    return begun;
  };
  return (key) =>
    new Promise((resolve, reject) => {
      if (bundle.length === 0 || bundle.length === MAX_BUNDLE) bundle = begin();
      bundle.push({ key, resolve, reject });
    });
}

/** Never rejects. */
async function responseEach<Key, Result>(
  askAll: AskAll<Key, Result>,
  bundle: readonly Waiting<Key, Result>[],
): Promise<void> {
  try {
    const responses = await askAll(bundle.map(({ key }) => key));
    bundle.forEach(({ resolve }, index) => {
      // There is a response for each.
      resolve(responses[index] as Result);
    });
  } catch (error) {
    for (const { reject } of bundle) reject(error);
  }
}

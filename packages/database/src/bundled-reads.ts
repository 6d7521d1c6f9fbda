/** Largest number of keys in one statement. */
const MAX_BUNDLE = 64;

/** Reads all keys at once; the results are in the same order. */
type AskAll<Key, Result> = (keys: readonly Key[]) => Promise<readonly Result[]>;

interface Waiting<Key, Result> {
  readonly key: Key;
  readonly resolve: (response: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines the reads of one turn of the event loop into one statement, because the round trip is most of the cost of a
 * read. A result is never older than its call. All reads of a statement reject with its error.
 */
export function bundledReads<Key, Result>(askAll: AskAll<Key, Result>): (key: Key) => Promise<Result> {
  let bundle: Waiting<Key, Result>[] = [];
  const begin = () => {
    const begun: Waiting<Key, Result>[] = [];
    setImmediate(() => {
      bundle = [];
      void settleEach(askAll, begun);
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
async function settleEach<Key, Result>(
  askAll: AskAll<Key, Result>,
  bundle: readonly Waiting<Key, Result>[],
): Promise<void> {
  try {
    const responses = await askAll(bundle.map(({ key }) => key));
    bundle.forEach(({ resolve }, index) => {
      // There is a result for each entry.
      resolve(responses[index] as Result);
    });
  } catch (error) {
    for (const { reject } of bundle) reject(error);
  }
}

/**
 * Passes pieces on, and calls back once when they are over: read to the end, failed, or given up, even before the first one
 * was read.
 */
export function onceOver<Piece>(pieces: AsyncGenerator<Piece>, call: () => void): AsyncIterable<Piece> {
  const ended = async (result: Promise<IteratorResult<Piece>>): Promise<IteratorResult<Piece>> => {
    try {
      const step = await result;
      if (step.done === true) call();
      return step;
    } catch (error) {
      call();
      throw error;
    }
  };
  // A generator that was not started runs no part of itself when it is given up, and so no `finally`.
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => ended(pieces.next()),
      return: () => ended(pieces.return(undefined)),
      throw: (error: unknown) => ended(pieces.throw(error)),
    }),
  };
}

/** A check failed, or the tour cannot start. The message is one clear sentence. */
export class TourError extends Error {
  override readonly name = 'TourError';
}

/** Fails the tour unless the condition holds. @throws TourError with the sentence, which says what was expected */
export function ensure(isSo: boolean, sentence: string): asserts isSo {
  if (!isSo) throw new TourError(sentence);
}

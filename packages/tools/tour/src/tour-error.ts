/** Something is not as it should be, or the tour cannot begin. The message is one clear sentence. */
export class TourError extends Error {
  override readonly name = 'TourError';
}

/** Ends the tour unless it is so. @throws TourError with the sentence, which says what should have been */
export function ensure(isSo: boolean, sentence: string): asserts isSo {
  if (!isSo) throw new TourError(sentence);
}

/** A check failed, or the tour cannot start. The message is a sentence for the reader. */
export class TourError extends Error {
  override readonly name = 'TourError';
}

/** Fails the tour unless the condition holds. @throws TourError with the message */
export function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) throw new TourError(message);
}

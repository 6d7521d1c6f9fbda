/** A key cannot enter the requested state. The message is a sentence for the operator. */
export class KeyStateError extends Error {
  override readonly name = 'KeyStateError';
}

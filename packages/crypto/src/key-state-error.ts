/** A key cannot take the state that an operator asked for. The message is a sentence for the operator. */
export class KeyStateError extends Error {
  override readonly name = 'KeyStateError';
}

/** The process cannot start. The message is one sentence for the operator, who can fix the cause. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

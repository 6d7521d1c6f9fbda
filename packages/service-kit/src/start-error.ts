/** The process cannot start; the message is one sentence for the person who started it, who can mend the reason. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

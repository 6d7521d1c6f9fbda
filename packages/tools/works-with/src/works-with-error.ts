/** The command cannot go on, for a reason that the person who runs it can mend. The message is one clear sentence. */
export class WorksWithError extends Error {
  override readonly name = 'WorksWithError';
}

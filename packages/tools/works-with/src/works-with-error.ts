/** The command cannot continue, for a reason that the user can fix. The message is one clear sentence. */
export class WorksWithError extends Error {
  override readonly name = 'WorksWithError';
}

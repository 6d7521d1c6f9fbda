/** A local service cannot run, for a reason that the user can fix. The message is one clear sentence. */
export class LocalServiceError extends Error {
  override readonly name = 'LocalServiceError';
}

/** The code of a system error (`ENOENT`, `EACCES` …) or of a database error; `undefined` for other values. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

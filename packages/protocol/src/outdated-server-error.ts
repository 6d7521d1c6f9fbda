/** A server that is older than what we need of it; the message is a sentence for operators. */
export class OutdatedServerError extends Error {
  override readonly name = 'OutdatedServerError';

  /**
   * @param server the server with its version, `PostgreSQL 13.4`
   * @param minimum the oldest version that will do
   */
  constructor(server: string, minimum: string) {
    super(`${server} is too old: version ${minimum} or newer is needed`);
  }
}

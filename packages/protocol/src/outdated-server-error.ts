/** A server that is too old. The message is a sentence for operators. */
export class OutdatedServerError extends Error {
  override readonly name = 'OutdatedServerError';

  /**
   * @param server the server with its version, `PostgreSQL 13.4`
   * @param minimum the oldest supported version
   */
  constructor(server: string, minimum: string) {
    super(`${server} is too old: version ${minimum} or newer is needed`);
  }
}

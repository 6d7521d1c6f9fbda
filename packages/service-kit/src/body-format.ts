/** The one form in which the requests of an endpoint family carry their bodies. */
export interface BodyFormat {
  /** Media types without parameters, in lower case. Anything else is refused. */
  readonly mediaTypes: readonly string[];
  /** The largest body, in bytes. */
  readonly maxBytes: number;
  /**
   * Reads a body that is not empty.
   * @throws DomainError `invalid_request` when it is not what the media type promises
   */
  parse(bytes: Buffer): unknown;
}

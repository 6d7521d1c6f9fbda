/** A request to the API, independent of the framework. */
export interface ResourceRequest {
  readonly method: string;
  /** The path that the client called, with or without the query. Of an absolute URL only the path is used. */
  readonly url: string;
  /**
   * Returns the values of a header, given in lower case: one string, a list if the request has the header several
   * times, or `undefined`.
   */
  header(name: 'authorization' | 'dpop'): string | readonly string[] | undefined;
  /**
   * Returns the certificate, in DER, whose key the client proved in the TLS handshake. Omit it if there is none. Take it
   * from a header only if your own proxy alone can set that header.
   */
  clientCertificate?(): Uint8Array | undefined;
}

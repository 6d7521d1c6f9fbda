/** A request as the client sent it to the gateway. */
export interface GatewayRequest {
  readonly method: string;
  /** Host that the client called, with the port if it named one. */
  readonly host: string;
  /** Path and query, not decoded. */
  readonly url: string;
  /**
   * Returns the values of a header, given in lower case: one string, a list if the request has the header several
   * times, or `undefined`.
   */
  header(name: string): string | readonly string[] | undefined;
  /** Returns the certificate, in DER, whose key the client proved to the gateway. Omitted if there is none. */
  clientCertificate?(): Uint8Array | undefined;
}

/** Header fields by name; names differ not only in case. */
export type HeaderFields = Readonly<Record<string, string>>;

/** The request may pass. */
export interface AllowedRequest {
  readonly outcome: 'allowed';
  /**
   * Set on the request to the upstream in place of those of the client. Every identity header is always present, and empty
   * if there is nothing to tell, so that one that the client wrote never passes.
   */
  readonly headers: HeaderFields;
  /** Added to the response for the client. */
  readonly responseHeaders: HeaderFields;
}

/** The response to the client; the request does not reach the upstream. */
export interface RefusedRequest {
  readonly outcome: 'refused';
  readonly status: number;
  readonly headers: HeaderFields;
  /** JSON, or empty. */
  readonly body: string;
}

/** Whether a request may pass the gateway. */
export type Decision = AllowedRequest | RefusedRequest;

/** Decides about a request. Never rejects: what cannot be determined is refused. */
export type DecideRequest = (request: GatewayRequest) => Promise<Decision>;

/**
 * Decides about the usual request that is allowed, without waiting if that is possible. Returns `undefined` if
 * {@link DecideRequest} must be asked; nothing has been counted then.
 */
export type AllowAtOnce = (request: GatewayRequest) => AllowedRequest | Promise<AllowedRequest> | undefined;

/** The certificate of a server that ends TLS itself. All of it PEM. */
export interface ServerTls {
  /** The certificate, and those between it and its authority. */
  readonly certificate: string;
  readonly key: string;
  /**
   * Authorities whose client certificates count as verified; without them none does, and the others are seen all the
   * same.
   */
  readonly clientAuthorities?: string;
}

/** A handshake must be over within this time. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

/**
 * How Node serves it. Every client is asked for a certificate and none is turned away for it: which one is good for
 * which client is for client authentication to say (RFC 8705 section 2), where certificates sign themselves too.
 */
export function tlsServerOptions({ certificate, key, clientAuthorities }: ServerTls) {
  return {
    cert: certificate,
    key,
    // An empty list, for without one those of the system would count.
    ca: clientAuthorities === undefined ? [] : [clientAuthorities],
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
  } as const;
}

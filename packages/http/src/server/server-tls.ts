/** Certificate and key of a server that terminates TLS, in PEM. */
export interface ServerTls {
  /** Server certificate, followed by its intermediate certificates. */
  readonly certificate: string;
  readonly key: string;
  /**
   * Authorities whose client certificates count as verified. Other client certificates are accepted but not verified.
   */
  readonly clientAuthorities?: string;
}

/** Time limit of the TLS handshake. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

/**
 * Options of Node's TLS server. It requests a certificate from every client and refuses no connection because of it.
 * Client authentication decides which certificate is valid for which client (RFC 8705 section 2); self-signed
 * certificates are possible too.
 */
export function tlsServerOptions({ certificate, key, clientAuthorities }: ServerTls) {
  return {
    cert: certificate,
    key,
    // An empty list, because without one Node trusts the authorities of the system.
    ca: clientAuthorities === undefined ? [] : [clientAuthorities],
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
  } as const;
}

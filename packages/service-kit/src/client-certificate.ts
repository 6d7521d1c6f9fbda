import { createHash, X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { constantTimeEquals, sha256 } from '@vestibule/crypto';
import { trustedPeers } from './trusted-peers.js';

/** A certificate whose key the client proved in a TLS handshake. */
export interface PresentedCertificate {
  readonly der: Uint8Array;
  /** SHA-256 of it in base64url: `x5t#S256` (RFC 8705 section 3.1). */
  readonly thumbprint: string;
  /**
   * When its life begins and ends, both included, in milliseconds since the Unix epoch. Nobody has compared them yet.
   */
  readonly validFromMs: number;
  readonly validToMs: number;
  /** Whether whoever ended the TLS connection verified that it chains to an authority that is trusted for clients. */
  readonly isChainVerified: boolean;
}

/** What a request says about a client certificate. */
export type ClientCertificateReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'presented'; readonly certificate: PresentedCertificate }
  /** Something came that must not be believed. The reason is for operators. */
  | { readonly kind: 'refused'; readonly reason: string };

/** The header in which a proxy says what certificate it was shown. */
export interface CertificateHeader {
  readonly name: string;
  /** `rfc9440`: a byte sequence between colons (RFC 9440 section 2.1). `pem`: PEM, percent-encoded. */
  readonly format: 'rfc9440' | 'pem';
  /** Whether the proxy lets only certificates of trusted authorities pass. */
  readonly isChainVerified: boolean;
  readonly proof: ProxyProof;
}

/**
 * How a peer proves that it is the proxy, beside its address, which others on the network may come to have: by a secret
 * in another header, or by a certificate of its own in a TLS connection that ends here. That it chains to an authority
 * that is trusted for clients is not enough: so do those of the clients.
 */
export type ProxyProof =
  | { readonly kind: 'secret'; readonly header: string; readonly digest: Uint8Array }
  | {
      readonly kind: 'mutual-tls';
      /** DNS names among the alternative names of their certificates, or SHA-256 of these in lower-case hexadecimal. */
      readonly proxies: readonly string[];
    };

/** Where client certificates come from. */
export interface ClientCertificateOptions {
  /** Without it certificates come from our own TLS connections alone. */
  readonly header?: CertificateHeader;
  /** Addresses and CIDR blocks of the proxies that may send the header. */
  readonly trustedProxies: readonly string[];
}

const NONE: ClientCertificateReading = { kind: 'none' };

/**
 * Makes the reader of client certificates. Behind a proxy that is trusted, and proves that it is one, the header counts
 * and the proxy's own certificate does not; from everyone else the certificate of the connection counts and the header
 * is refused, since a certificate is public and anyone could write it there. Never throws.
 * @throws TypeError when a proxy is no address or CIDR block
 */
export function clientCertificateReader({
  header,
  trustedProxies,
}: ClientCertificateOptions): (request: IncomingMessage) => ClientCertificateReading {
  const isTrusted = trustedPeers(trustedProxies);
  return ({ socket, rawHeaders }) => {
    const values = header === undefined ? [] : valuesOf(rawHeaders, header.name);
    const isProxied = header !== undefined && isTrusted(socket.remoteAddress);
    if (!isProxied && values.length > 0) return refused('the header came from a peer that is not trusted');
    if (!isProxied) return fromConnection(socket);
    if (values.length > 1) return refused('the header came more than once');
    const [value = ''] = values;
    if (value === '') return NONE;
    return isProven(header.proof, { socket, rawHeaders })
      ? fromHeader(value, header)
      : refused('the header came without the proof of a proxy');
  };
}

function isProven(
  proof: ProxyProof,
  { socket, rawHeaders }: Pick<IncomingMessage, 'socket' | 'rawHeaders'>,
): boolean {
  if (proof.kind === 'mutual-tls') return socket instanceof TLSSocket && isProxy(socket, proof.proxies);
  const [secret, ...others] = valuesOf(rawHeaders, proof.header);
  return secret !== undefined && others.length === 0 && constantTimeEquals(sha256(secret), proof.digest);
}

function isProxy(socket: TLSSocket, proxies: readonly string[]): boolean {
  // Of a session that was resumed Node says that it is authorised even where no certificate ever came.
  const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined;
  if (certificate === undefined) return false;
  const thumbprint = createHash('sha256').update(certificate.raw).digest('hex');
  return proxies.some((proxy) =>
    THUMBPRINT.test(proxy) ? proxy === thumbprint : certificate.checkHost(proxy, EXACTLY) !== undefined,
  );
}

/** What is no name, whatever a certificate says that its name is. */
const THUMBPRINT = /^[\da-f]{64}$/;

/** No subject and no wildcard stands in for an alternative name. */
const EXACTLY = { subject: 'never', wildcards: false } as const;

function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  const wanted = name.toLowerCase();
  return rawHeaders.filter(
    (_text, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === wanted,
  );
}

function fromConnection(socket: Socket): ClientCertificateReading {
  if (!(socket instanceof TLSSocket)) return NONE;
  const certificate = socket.getPeerX509Certificate();
  return certificate === undefined ? NONE : presented(certificate, socket.authorized);
}

function fromHeader(value: string, { format, isChainVerified }: CertificateHeader): ClientCertificateReading {
  const bytes = format === 'rfc9440' ? readByteSequence(value) : readEncodedPem(value);
  const certificate = bytes && readCertificate(bytes);
  return certificate === undefined
    ? refused('the header does not hold one certificate in the form that is configured')
    : presented(certificate, isChainVerified);
}

const BYTE_SEQUENCE = /^:([A-Za-z0-9+/]+={0,2}):$/;
const PEM = /^-----BEGIN CERTIFICATE-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END CERTIFICATE-----(?:\r?\n)?$/;

function readByteSequence(value: string): Buffer | undefined {
  return readBase64(BYTE_SEQUENCE.exec(value)?.[1]);
}

function readEncodedPem(value: string): Buffer | undefined {
  const pem = PEM.exec(decodePercent(value) ?? '');
  return readBase64(pem?.[1]?.replace(/\r?\n/g, ''));
}

function decodePercent(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** Only what would be written in the same way again: everything else has a second reading. */
function readBase64(text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

function readCertificate(bytes: Buffer): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(bytes);
    // The platform passes over what follows the certificate, which then would have several thumbprints.
    return certificate.raw.equals(bytes) ? certificate : undefined;
  } catch {
    return undefined;
  }
}

function presented(certificate: X509Certificate, isChainVerified: boolean): ClientCertificateReading {
  const { raw, validFrom, validTo } = certificate;
  return {
    kind: 'presented',
    certificate: {
      der: raw,
      thumbprint: createHash('sha256').update(raw).digest('base64url'),
      validFromMs: Date.parse(validFrom),
      validToMs: Date.parse(validTo),
      isChainVerified,
    },
  };
}

function refused(reason: string): ClientCertificateReading {
  return { kind: 'refused', reason };
}

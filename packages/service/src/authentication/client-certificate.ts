import { createHash, X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { constantTimeEquals, sha256 } from '@vestibule/crypto';

/** A certificate whose private key the client proved to hold in a TLS handshake. */
export interface PresentedCertificate {
  readonly der: Uint8Array;
  /** SHA-256 of the certificate in base64url: `x5t#S256` (RFC 8705 section 3.1). */
  readonly thumbprint: string;
  /**
   * Start of validity; the end is `validToMs`. Both are inclusive, in milliseconds since the Unix epoch, and not
   * checked yet.
   */
  readonly validFromMs: number;
  readonly validToMs: number;
  /** Whether the TLS endpoint verified that the certificate chains to an authority that is trusted for clients. */
  readonly isChainVerified: boolean;
}

/** Result of reading the client certificate of a request. */
export type ClientCertificateReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'presented'; readonly certificate: PresentedCertificate }
  /** The request has a certificate that must not be trusted. The reason is for operators. */
  | { readonly kind: 'refused'; readonly reason: string };

/** The header in which a proxy forwards the client certificate. */
export interface CertificateHeader {
  readonly name: string;
  /** `rfc9440`: a byte sequence between colons (RFC 9440 section 2.1). `pem`: PEM, percent-encoded. */
  readonly format: 'rfc9440' | 'pem';
  /** Whether the proxy forwards only certificates of trusted authorities. */
  readonly isChainVerified: boolean;
  readonly proof: ProxyProof;
}

/**
 * How a proxy authenticates in addition to its address, which other hosts on the network could take over: with a secret
 * in another header, or with its own certificate in a TLS connection that ends at this service. A chain to an authority
 * that is trusted for clients is not enough, because client certificates have one too.
 */
export type ProxyProof =
  | { readonly kind: 'secret'; readonly header: string; readonly digest: Uint8Array }
  | {
      readonly kind: 'mutual-tls';
      /**
       * DNS names from the subject alternative names of the certificates, or their SHA-256 in lower-case hexadecimal.
       */
      readonly proxies: readonly string[];
    };

/** Sources of client certificates. */
export interface ClientCertificateOptions {
  /** Without it, certificates come only from TLS connections that end at this service. */
  readonly header?: CertificateHeader;
  /** Addresses and CIDR blocks of proxies that may send the header. */
  readonly trustedProxies: readonly string[];
}

const NONE: ClientCertificateReading = { kind: 'none' };

/**
 * Creates the reader of client certificates. From a trusted and authenticated proxy, the header counts and the proxy's
 * own certificate does not. From any other peer, the certificate of the connection counts and the header is refused,
 * because certificates are public and any client could send one. The reader never throws.
 * @throws TypeError if a proxy is not an address or CIDR block
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
  // For a resumed session, Node reports `authorized` even if there never was a certificate.
  const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined;
  if (certificate === undefined) return false;
  const thumbprint = createHash('sha256').update(certificate.raw).digest('hex');
  return proxies.some((proxy) =>
    THUMBPRINT.test(proxy) ? proxy === thumbprint : certificate.checkHost(proxy, EXACTLY) !== undefined,
  );
}

/** Matches thumbprints. Such a text is never treated as a DNS name, even if a certificate contains it as a name. */
const THUMBPRINT = /^[\da-f]{64}$/;

/** Match subject alternative names only: no subject, no wildcards. */
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

/** Accepts canonical base64 only; any other text could be decoded in more than one way. */
function readBase64(text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

function readCertificate(bytes: Buffer): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(bytes);
    // Node ignores bytes after the certificate, so the same certificate would have several thumbprints.
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

/**
 * Creates a check whether a peer address is in one of the given addresses and CIDR blocks. IPv4-mapped IPv6 addresses
 * count as IPv4.
 * @throws TypeError if one of them is not a network
 */
function trustedPeers(networks: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);
  return (address = '') => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}

function addNetwork(list: BlockList, network: string): void {
  const [address = '', bits] = network.split('/');
  const version = isIP(address);
  if (version === 0) throw new TypeError('not a network');
  const type = version === 4 ? 'ipv4' : 'ipv6';
  if (bits === undefined) list.addAddress(address, type);
  else list.addSubnet(address, Number(bits), type);
}

import { X509Certificate } from 'node:crypto';
import { type DistinguishedName, parseCertificateSubject } from './distinguished-name.js';

/** A certificate whose key a client proved, taken apart. Comes from {@link parseClientCertificate}. */
export interface ClientCertificate {
  /** The certificate itself. */
  readonly der: Uint8Array;
  /** Whether whoever ended the TLS connection verified that it chains to an authority that is trusted for clients. */
  readonly isChainVerified: boolean;
  /** Empty when the certificate names its subject in the alternative names alone. */
  readonly subject: DistinguishedName;
  readonly alternativeNames: readonly AlternativeName[];
  /** When its life begins and ends, both included, in milliseconds since the Unix epoch. */
  readonly validFromMs: number;
  readonly validToMs: number;
}

/** A subject alternative name of a kind that clients are known by (RFC 8705 section 2.1.2). */
export interface AlternativeName {
  readonly kind: 'dns' | 'uri' | 'ip' | 'email';
  readonly value: string;
}

/** What the handshake proved besides the key. */
export interface HandshakeResult {
  readonly isChainVerified: boolean;
}

/** Takes a certificate apart; `undefined` when it cannot be read. Judges nothing. */
export function parseClientCertificate(
  bytes: Uint8Array,
  { isChainVerified }: HandshakeResult,
): ClientCertificate | undefined {
  const certificate = readCertificate(bytes);
  // Without subject or alternative names the platform gives nothing, whatever its types say.
  const subject = parseCertificateSubject(certificate?.subject ?? '');
  if (certificate === undefined || subject === undefined) return undefined;
  return {
    der: certificate.raw,
    isChainVerified,
    subject,
    alternativeNames: parseAlternativeNames(certificate.subjectAltName ?? ''),
    validFromMs: Date.parse(certificate.validFrom),
    validToMs: Date.parse(certificate.validTo),
  };
}

function readCertificate(bytes: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}

const KINDS: ReadonlyMap<string, AlternativeName['kind']> = new Map([
  ['DNS', 'dns'],
  ['URI', 'uri'],
  ['IP Address', 'ip'],
  ['email', 'email'],
]);

/** The platform writes `kind:value, kind:value`, with values as JSON texts without commas where they could mislead. */
function parseAlternativeNames(text: string): readonly AlternativeName[] {
  return text.split(', ').flatMap((entry) => {
    const colon = entry.indexOf(':');
    const kind = KINDS.get(entry.slice(0, colon));
    const value = unquote(entry.slice(colon + 1));
    return kind === undefined || value === undefined || value === '' ? [] : [{ kind, value }];
  });
}

function unquote(written: string): string | undefined {
  if (!written.startsWith('"')) return written;
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

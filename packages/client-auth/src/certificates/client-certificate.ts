import { X509Certificate } from 'node:crypto';
import { type DistinguishedName, parseCertificateSubject } from './distinguished-name.js';

/** A parsed certificate whose key the client proved, made by {@link parseClientCertificate}. */
export interface ClientCertificate {
  /** The certificate in DER. */
  readonly der: Uint8Array;
  /** Whether the TLS server verified that it chains to a trusted authority for clients. */
  readonly isChainVerified: boolean;
  /** Empty if the certificate has only alternative names. */
  readonly subject: DistinguishedName;
  readonly alternativeNames: readonly AlternativeName[];
  /** Validity of the certificate, inclusive, in milliseconds since the Unix epoch. */
  readonly validFromMs: number;
  readonly validToMs: number;
}

/** A subject alternative name of a kind that identifies clients (RFC 8705 section 2.1.2). */
export interface AlternativeName {
  readonly kind: 'dns' | 'uri' | 'ip' | 'email';
  readonly value: string;
}

/** What the handshake proved in addition to the key. */
export interface HandshakeResult {
  readonly isChainVerified: boolean;
}

/** Parses a certificate without checking it; `undefined` if it is malformed. */
export function parseClientCertificate(
  bytes: Uint8Array,
  { isChainVerified }: HandshakeResult,
): ClientCertificate | undefined {
  const certificate = readCertificate(bytes);
  // Without subject or alternative names Node returns `undefined`, whatever its types say.
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

/** Node writes `kind:value, kind:value`, with ambiguous values as JSON strings without commas. */
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

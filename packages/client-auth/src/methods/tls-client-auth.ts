import type { Client } from '@vestibule/clients';
import type { CertificateMethod } from '../certificates/certificate-method.js';
import type { AlternativeName, ClientCertificate } from '../certificates/client-certificate.js';
import { isSameName, parseDistinguishedName } from '../certificates/distinguished-name.js';

/**
 * `tls_client_auth`: a certificate of a trusted authority with the registered subject, in one of five forms (RFC 8705
 * section 2.1).
 */
export const tlsClientAuth: CertificateMethod = {
  name: 'tls_client_auth',
  whyForeign: (_deps, { metadata }, certificate) => {
    if (!certificate.isChainVerified) return 'the certificate does not chain to a trusted authority';
    const registered = SUBJECT_RULES.filter(({ member }) => metadata[member] !== undefined);
    const [rule, ...others] = registered;
    if (rule === undefined || others.length > 0) return 'the client has not registered exactly one subject';
    return isRegisteredSubject(rule, metadata, certificate)
      ? undefined
      : `the certificate does not have the registered ${rule.member}`;
  },
};

/** Whether a certificate has the registered subject, in one form. */
interface SubjectRule {
  readonly member: string;
  matches(certificate: ClientCertificate, registered: string): boolean;
}

const SUBJECT_RULES: readonly SubjectRule[] = [
  { member: 'tls_client_auth_subject_dn', matches: hasSubject },
  { member: 'tls_client_auth_san_dns', matches: anyName('dns', (name) => name.toLowerCase()) },
  { member: 'tls_client_auth_san_uri', matches: anyName('uri', (name) => name) },
  { member: 'tls_client_auth_san_ip', matches: anyName('ip', canonicalAddress) },
  { member: 'tls_client_auth_san_email', matches: anyName('email', canonicalMailAddress) },
];

/** Whether a certificate has the subject registered in one of those members; false for any other member. */
export function hasRegisteredSubject(
  certificate: ClientCertificate,
  member: string,
  registered: string,
): boolean {
  const rule = SUBJECT_RULES.find((candidate) => candidate.member === member);
  return rule?.matches(certificate, registered) === true;
}

function isRegisteredSubject(
  { member, matches }: SubjectRule,
  metadata: Client['metadata'],
  certificate: ClientCertificate,
): boolean {
  const registered = metadata[member];
  return typeof registered === 'string' && matches(certificate, registered);
}

function hasSubject({ subject }: ClientCertificate, registered: string): boolean {
  const name = parseDistinguishedName(registered);
  return name !== undefined && isSameName(name, subject);
}

/** Matches if one of the certificate's names of a kind equals the registered one after normalization. */
function anyName(
  kind: AlternativeName['kind'],
  canonical: (name: string) => string | undefined,
): SubjectRule['matches'] {
  return ({ alternativeNames }, registered) => {
    const wanted = canonical(registered);
    const names = alternativeNames.filter((name) => name.kind === kind);
    return wanted !== undefined && names.some(({ value }) => canonical(value) === wanted);
  };
}

/** Normalizes an IP address; `undefined` for anything else. */
function canonicalAddress(text: string): string | undefined {
  if (/^\d+(?:\.\d+){3}$/.test(text)) return text;
  const url = `http://[${text}]/`;
  return text.includes(':') && URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** The host of an email address is case-insensitive; the local part may not be (RFC 5280 section 7.5). */
function canonicalMailAddress(text: string): string {
  const at = text.lastIndexOf('@') + 1;
  return text.slice(0, at) + text.slice(at).toLowerCase();
}

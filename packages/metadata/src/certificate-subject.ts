import type { TLS_SUBJECT_MEMBERS } from './metadata-defaults.js';
import { readUri } from './uris/uri-reading.js';

const HOST_LABEL = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;
const IPV4_PART = /^(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])$/;
const IPV6_CHARACTERS = /^[0-9A-Fa-f:.]+$/;
const ATTRIBUTE = /^\s*(?:[A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)*)\s*=/;
const URI_SCHEMES: readonly string[] = ['https', 'http', 'spiffe'];

/**
 * Whether a string is a certificate subject of the kind that a member holds (RFC 8705 section 2.1.2): a distinguished
 * name in RFC 4514 notation, a DNS name, a URI, an IPv4 or IPv6 address, or an email address.
 */
export function isCertificateSubject(member: (typeof TLS_SUBJECT_MEMBERS)[number], text: string): boolean {
  switch (member) {
    case 'tls_client_auth_subject_dn':
      return ATTRIBUTE.test(text);
    case 'tls_client_auth_san_dns':
      return isHostName(text);
    case 'tls_client_auth_san_uri':
      return URI_SCHEMES.includes(readUri(text)?.scheme ?? '');
    case 'tls_client_auth_san_ip':
      return isIpAddress(text);
    case 'tls_client_auth_san_email':
      return isMailAddress(text);
  }
}

function isHostName(text: string): boolean {
  const name = text.startsWith('*.') ? text.slice(2) : text;
  return name.length <= 253 && name.split('.').every((label) => HOST_LABEL.test(label));
}

function isIpAddress(text: string): boolean {
  const parts = text.split('.');
  if (parts.length === 4 && parts.every((part) => IPV4_PART.test(part))) return true;
  return text.includes(':') && IPV6_CHARACTERS.test(text) && URL.canParse(`http://[${text}]`);
}

/** Maximum length of an email address (RFC 5321 section 4.5.3.1). */
const MAX_LENGTH = 254;

const MAX_LOCAL_LENGTH = 64;
const LOCAL_PART = /^[^\s@"(),:;<>[\]\\]+$/;
const DOMAIN_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/**
 * Whether a string looks like an email address: an unquoted local part and a domain of labels. Takes at most linear
 * time, and the length is bounded.
 */
function isMailAddress(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const at = text.lastIndexOf('@');
  if (at < 1 || at > MAX_LOCAL_LENGTH || !LOCAL_PART.test(text.slice(0, at))) return false;
  return text
    .slice(at + 1)
    .split('.')
    .every((label) => DOMAIN_LABEL.test(label));
}

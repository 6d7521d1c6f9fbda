/** A label of a host name: letters, digits and hyphens, no hyphen at either end (RFC 5890 section 2.3.1). */
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const MAX_NAME_LENGTH = 253;
const IPV4_PART = /^(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])$/;
/** A last label that URL parsers read as part of an IPv4 address (URL standard, "ends in a number"). */
const NUMERIC_LABEL = /^(?:[0-9]+|0[xX][0-9A-Fa-f]*)$/;
const IPV6 = /^\[[0-9A-Fa-f:.]{2,45}\]$/;

/**
 * Whether a string is an acceptable host of a URI: a host name of LDH labels (internationalized names in punycode), an
 * IPv4 address of four decimal numbers, or an IPv6 address in brackets. RFC 3986 and URL parsers accept more, such as
 * `;` and `'`, which have a meaning in a content security policy.
 */
export function isUriHost(host: string): boolean {
  if (host.startsWith('[')) return IPV6.test(host) && URL.canParse(`http://${host}/`);
  if (host.length > MAX_NAME_LENGTH) return false;
  const labels = host.split('.');
  if (NUMERIC_LABEL.test(labels.at(-1) ?? '')) return isIpv4(labels);
  return labels.every((label) => LABEL.test(label));
}

/**
 * Whether a string is an acceptable host of a federation entity: like {@link isUriHost}, with underscores wherever
 * hyphens are allowed, as in the figures of OpenID Federation 1.0.
 */
export function isEntityHost(host: string): boolean {
  return isUriHost(host.replaceAll('_', '-'));
}

function isIpv4(labels: readonly string[]): boolean {
  return labels.length === 4 && labels.every((label) => IPV4_PART.test(label));
}

/** A label of a host name: letters, digits and hyphens, no hyphen at either end (RFC 5890 section 2.3.1). */
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const MAX_NAME_LENGTH = 253;
const IPV4_PART = /^(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])$/;
/** What URL parsers read as a part of an IPv4 address at the end of a host (URL standard, "ends in a number"). */
const NUMERIC_LABEL = /^(?:[0-9]+|0[xX][0-9A-Fa-f]*)$/;
const IPV6 = /^\[[0-9A-Fa-f:.]{2,45}\]$/;

/**
 * Whether a text is a host as this software takes them in URIs: a host name of LDH labels (internationalized ones in
 * punycode), an IPv4 address of four decimal numbers, or an IPv6 address in brackets. RFC 3986 and URL parsers take
 * more, such as `;` and `'`, which end or quote a source in a content security policy.
 */
export function isUriHost(host: string): boolean {
  if (host.startsWith('[')) return IPV6.test(host) && URL.canParse(`http://${host}/`);
  if (host.length > MAX_NAME_LENGTH) return false;
  const labels = host.split('.');
  if (NUMERIC_LABEL.test(labels.at(-1) ?? '')) return isIpv4(labels);
  return labels.every((label) => LABEL.test(label));
}

/**
 * Whether a text is a host as entities of federations may have it: labels may have underscores where they may have
 * hyphens, as in the figures of OpenID Federation 1.0.
 */
export function isEntityHost(host: string): boolean {
  return isUriHost(host.replaceAll('_', '-'));
}

function isIpv4(labels: readonly string[]): boolean {
  return labels.length === 4 && labels.every((label) => IPV4_PART.test(label));
}

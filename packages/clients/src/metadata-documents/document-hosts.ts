import { isUriHost } from '@vestibule/protocol';
import type { DocumentUrl } from './document-url.js';

/**
 * Whose documents may register clients: those of every host, or of listed ones. An entry is a host, `*.` and a host for
 * its subdomains, or either with a port; an entry without a port means the default port.
 */
export type DocumentHosts = 'any' | ReadonlySet<string>;

const ENTRY = /^(\*\.)?([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::([1-9][0-9]{0,4}))?$/;

/** Parses a comma-separated list of hosts, or `any`; `undefined` if it is neither. */
export function parseDocumentHosts(text: string): DocumentHosts | undefined {
  if (text.trim() === 'any') return 'any';
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return entries.length > 0 && entries.every(isEntry) ? new Set(entries) : undefined;
}

function isEntry(entry: string): boolean {
  const [, wildcard, host = '', port] = ENTRY.exec(entry) ?? [];
  // A subdomain of a top-level domain could be registered by anyone.
  const isNarrow = wildcard === undefined || host.includes('.');
  return isNarrow && isUriHost(host) && (port === undefined || Number(port) <= 65_535);
}

/** Whether the host of a document is permitted. Hosts are compared exactly, subdomains by whole labels. */
export function isPermittedHost(hosts: DocumentHosts, url: DocumentUrl): boolean {
  if (hosts === 'any') return true;
  const { hostname, port } = new URL(url);
  const suffix = port === '' ? '' : `:${port}`;
  if (hosts.has(hostname + suffix)) return true;
  const labels = hostname.split('.');
  return labels.some(
    (_label, index) => index > 0 && hosts.has(`*.${labels.slice(index).join('.')}${suffix}`),
  );
}

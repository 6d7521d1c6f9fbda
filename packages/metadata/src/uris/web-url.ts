import { isAllowedHost, isEntityHost, parseAllowedHosts } from '@vestibule/protocol';
import type { MetadataSettings } from '../metadata-settings.js';
import { examineUri, LOOPBACK_HOSTS, type UriReading } from './uri-reading.js';

/**
 * Returns what is wrong with the http or https URL of a page, as the end of a sentence; `undefined` if all parsers
 * agree on it.
 */
export function webUrlProblem(text: string): string | undefined {
  const { reading, problem } = examineUri(text);
  if (reading === undefined) return problem;
  return ['https', 'http'].includes(reading.scheme) ? undefined : 'must be an http or https URL';
}

/**
 * Returns what is wrong with a URL that the server uses, as the end of a sentence: it must be https, or http on an
 * allowed host.
 * @throws TypeError for an http URL if the allowed hosts are malformed.
 */
export function secureUrlProblem(text: string, settings: MetadataSettings): string | undefined {
  const { reading, problem } = examineUri(text);
  if (reading === undefined) return problem;
  if (isSecure(reading, text, settings)) return undefined;
  return reading.scheme === 'http' && LOOPBACK_HOSTS.has(reading.host)
    ? 'must be an https URL; loopback hosts that may be http must be listed in EGRESS_ALLOW_HOSTS of the server'
    : 'must be an https URL';
}

/**
 * Parses an https URL, or an http URL on an allowed host; `undefined` for anything else. Federation hosts are accepted.
 * @throws TypeError for an http URL if the allowed hosts are malformed.
 */
export function readSecureUrl(text: string, settings: MetadataSettings): UriReading | undefined {
  const { reading } = examineUri(text, isEntityHost);
  return reading !== undefined && isSecure(reading, text, settings) ? reading : undefined;
}

function isSecure({ scheme, host }: UriReading, text: string, settings: MetadataSettings): boolean {
  if (host === '') return false;
  if (scheme === 'https') return true;
  return scheme === 'http' && isAllowedHost(parseAllowedHosts(settings.egressAllowHosts), new URL(text));
}

import { isAllowedHost, isEntityHost, parseAllowedHosts } from '@vestibule/protocol';
import type { MetadataSettings } from './metadata-settings.js';
import { examineUri, LOOPBACK_HOSTS, type UriReading } from './uri-reading.js';

/**
 * What is wrong with an http or https URL of a page, as the end of a sentence; `undefined` when every parser reads it
 * alike.
 */
export function webUrlProblem(text: string): string | undefined {
  const { reading, problem } = examineUri(text);
  if (reading === undefined) return problem;
  return ['https', 'http'].includes(reading.scheme) ? undefined : 'must be an http or https URL';
}

/**
 * What is wrong with an address that the server uses, as the end of a sentence: it must be https, or http on a host that
 * the settings list.
 * @throws TypeError for an http URL where the settings list something that is no host.
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
 * The reading of an https URL, or of an http URL on a host that the settings list; `undefined` for everything else. Its
 * host may be one of an entity.
 * @throws TypeError for an http URL where the settings list something that is no host.
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

import { isAllowedHost, parseAllowedHosts } from '@vestibule/protocol';
import type { MetadataSettings } from './metadata-settings.js';
import { readUri, type UriReading } from './uri-reading.js';

/** Whether a text is an absolute http or https URL on a named host that every parser reads alike. */
export function isWebUrl(text: string): boolean {
  const reading = readUri(text);
  return reading !== undefined && reading.host !== '' && ['https', 'http'].includes(reading.scheme);
}

/**
 * The reading of an https URL, or of an http URL on a host that the settings list; `undefined` for everything else.
 * @throws TypeError for an http URL where the settings list something that is no host.
 */
export function readSecureUrl(text: string, settings: MetadataSettings): UriReading | undefined {
  const reading = readUri(text);
  if (reading === undefined || reading.host === '') return undefined;
  if (reading.scheme === 'https') return reading;
  if (reading.scheme !== 'http') return undefined;
  return isAllowedHost(parseAllowedHosts(settings.egressAllowHosts), new URL(text)) ? reading : undefined;
}

import type { SectorIdentifierSource } from '@vestibule/clients';
import { DomainError, MEDIA_TYPE } from '@vestibule/protocol';
import type { Egress } from './egress.js';
import { fetchJson } from './fetch-json.js';
import { refuseOverload } from './refuse-overload.js';

/**
 * Reads the documents behind `sector_identifier_uri` through the door: JSON arrays of strings as `application/json`, 64
 * KiB at most (OpenID Connect Dynamic Client Registration 1.0 section 5). Every failure is one error, but for want of
 * room here: `too_many_requests`.
 */
export function sectorIdentifierSource(egress: Pick<Egress, 'fetchDocument'>): SectorIdentifierSource {
  return {
    read: async (uri) => {
      const document = await fetchJson(egress, {
        url: uri,
        mediaTypes: [MEDIA_TYPE.json],
        limits: { maxDepth: 1, maxMembers: 0 },
        onOverload: refuseOverload,
      });
      if (isListOfTexts(document)) return document;
      throw new DomainError(
        'invalid_client_metadata',
        'The client metadata member sector_identifier_uri must lead to a JSON array of strings.',
      );
    },
  };
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

import type { SectorIdentifierSource } from '@vestibule/clients/registration';
import { DomainError } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import type { Egress } from './egress.js';
import { fetchJson } from './fetch-json.js';
import { refuseOverload } from './refuse-overload.js';

/**
 * Creates the source of documents behind `sector_identifier_uri`: JSON arrays of strings as `application/json`, at most
 * 64 KiB (OpenID Connect Dynamic Client Registration 1.0 section 5). All failures are the same error, except overload:
 * `too_many_requests`.
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
        'sector_identifier_uri: must point to a JSON array of strings',
      );
    },
  };
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

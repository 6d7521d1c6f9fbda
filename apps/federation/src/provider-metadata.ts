import type { Egress } from '@vestibule/egress';
import type { Clock, Issuer } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { isJsonObject, type JsonObject, parseJson } from '@vestibule/protocol/json';

/** Options of {@link fetchedProviderMetadata}. */
export interface ProviderMetadataOptions {
  readonly egress: Pick<Egress, 'fetchDocument'>;
  readonly clock: Clock;
  readonly url: string;
  readonly issuer: Issuer;
}

const MAX_AGE_MS = 60_000;
const MAX_BYTES = 65_536;
const LIMITS = { maxDepth: 6, maxMembers: 1_000 };

/**
 * Reads the discovery document of the authorization server, at most once a minute (OpenID Connect Discovery 1.0 section
 * 4). While it is unavailable, the last one is returned.
 * @returns a function that rejects if the document was never read, or is that of another issuer
 */
export function fetchedProviderMetadata({ egress, clock, url, issuer }: ProviderMetadataOptions) {
  let known: { readonly document: JsonObject; readonly readAtMs: number } | undefined;
  const mediaTypes = [MEDIA_TYPE.json];
  return async (): Promise<JsonObject> => {
    const nowMs = clock.nowMs();
    if (known !== undefined && nowMs - known.readAtMs < MAX_AGE_MS) return known.document;
    const response = await egress.fetchDocument({
      url,
      accept: MEDIA_TYPE.json,
      mediaTypes,
      maxBytes: MAX_BYTES,
    });
    if (response.outcome === 'ok') {
      const document = parseJson(response.text, LIMITS);
      if (!isJsonObject(document) || document['issuer'] !== issuer)
        throw new TypeError('the discovery document has another issuer');
      known = { document, readAtMs: nowMs };
    }
    if (known === undefined) throw new TypeError('the discovery document is unavailable');
    return known.document;
  };
}
